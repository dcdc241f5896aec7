// Checkpoints: the leaves of a mesh with the values in their blocks, and what else a program needs to go on,
// in one HDF5 file that does not depend on ranks.
//
// Words: a *state* is text of the program's own, JSON. Blocks are in leaf order. A *checksum* is XXH3 with 64
// bits of bytes as they are in the file.
//
// In the file: attributes `format`, `version`, `program`, `ratio`, `roots`, `deepest_level`; datasets `state`
// (bytes), `tree/place`, `tree/level`, `tree/owner` and `blocks/values` of shape (leaves, block shape ...),
// little-endian doubles, stored as they come; `blocks/checksums`, one a leaf. The other datasets have their
// own as attribute `xxh3`; HDF5 checks its own parts.
//
// Invariant: a file that has its name is whole and on the disk. Before it has another one beside it, which
// nobody can guess (program/whole_file.hpp).
//
// HDF5 makes the file and says where its datasets lie; ranks write and read values there by themselves
// (docs/decisions/0010-checkpoints.md).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "exchange/communicator.hpp"
#include "mesh/block_tree.hpp"
#include "program/first_error.hpp"
#include "storage/for_each.hpp"
#include "storage/shared_file.hpp"

namespace heddle::storage {

/// What a checkpoint says beside its values.
struct CheckpointHead {
  std::string program;
  int ratio = 2;
  std::vector<int> roots;  // along each axis
  int deepest_level = 0;
  std::vector<int> block_shape;  // of a block's values, the last one fastest
  std::string state;
  std::vector<mesh::Key> keys;  // of the leaves, in leaf order, with the ranks that wrote them
};

/// Where the values of a block are, piece after piece in the order of the file.
struct BlockValues {
  std::vector<std::span<const double>> pieces;
  std::vector<double> room;  // for values that lie in another order, kept from block to block
};

class CheckpointWriter {
 public:
  /// Makes the file; leaves: how many this rank writes. Collective; head: on rank 0 whole, elsewhere its
  /// block shape. Errors: throws UserError on every rank, as all functions here unless they say so; a file
  /// that is not whole is removed then.
  CheckpointWriter(std::string path, const CheckpointHead& head, int leaves, exchange::Communicator& ranks);
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;
  ~CheckpointWriter();

  /// Writes the values of one of this rank's leaves, where find(values) says that they are. Who writes the
  /// last one waits for the disk. Errors: kept for finish(). Threads: any number at a time, a leaf each.
  void write(int leaf, const std::function<void(BlockValues& values)>& find) noexcept;
  /// The file gets its name. Requires: all leaves are written, on this rank. Collective.
  void finish();

 private:
  void write(int leaf, const BlockValues& values) const;

  std::string path_;
  exchange::Communicator& ranks_;
  std::string unfinished_;  // its name before
  SharedFile file_;
  std::uint64_t values_ = 0;     // where they begin in the file
  std::uint64_t checksums_ = 0;  // likewise
  std::size_t doubles_ = 0;      // of a block
  std::atomic<int> left_;        // leaves that this rank has to write still
  program::FirstError error_;
  bool is_finished_ = false;
};

class CheckpointReader {
 public:
  /// Errors: throws UserError for what is no checkpoint of that program, or is damaged; it says which.
  /// Where another beside it is whole the message says so, unless that is not wanted.
  CheckpointReader(std::string path, const std::string& program, bool offers_another = true);
  CheckpointReader(CheckpointReader&&) = delete;
  ~CheckpointReader();

  [[nodiscard]] const CheckpointHead& head() const { return head_; }
  /// Of one block.
  [[nodiscard]] std::size_t doubles() const { return doubles_; }
  /// The values of these leaves: unpack(n, values) takes those of the n-th. Errors: throws UserError if some
  /// are not what was written.
  void read(std::span<const int> leaves, const ForEach& for_each,
            const std::function<void(int n, const std::vector<double>& values)>& unpack) const;
  void read(int leaf, std::span<double> values) const;

 private:
  [[noreturn]] void refuse(const std::string& what) const;

  std::string path_;
  bool offers_another_;
  CheckpointHead head_;
  std::size_t doubles_ = 1;
  std::uint64_t values_ = 0;
  std::vector<std::uint64_t> checksums_;
  int descriptor_ = -1;
};

/// Who has which leaf: as it was, or where there are more or fewer ranks equal shares along the curve.
void deal_out(std::vector<mesh::Key>& keys, int ranks);

/// The checkpoint that the begin of a name, as of --checkpoint, and a step give.
[[nodiscard]] std::string checkpoint_path(const std::string& prefix, int step);
/// Removes checkpoints of earlier steps, but for the `keep` - 1 latest of them, and those that were never
/// finished.
void remove_old_checkpoints(const std::string& prefix, int step, int keep);

}  // namespace heddle::storage
