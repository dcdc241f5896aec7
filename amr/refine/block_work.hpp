// Who executes what a refinement does to the data of blocks, and when: loops over what has gathered, or tasks
// (exec/block_tasks.hpp).
//
// Invariant: to what is given after a call of migrate() all that was given before has been done. A slot that
// was given back is written again only after what was given before has read it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "amr/refine/migration.hpp"
#include "exchange/communicator.hpp"

namespace heddle::amr {

/// What splits and joins ask for.
class BlockCopies {
 public:
  BlockCopies() = default;
  BlockCopies(const BlockCopies&) = delete;
  BlockCopies& operator=(const BlockCopies&) = delete;
  virtual ~BlockCopies() = default;

  /// A free slot, its ghosts not zeroed yet.
  [[nodiscard]] virtual int take() = 0;
  virtual void give_back(int slot) = 0;
  /// body() reads blocks and writes one, of these slots. It throws nothing. Requires: between two calls of
  /// migrate() no copy reads or writes a block that another one writes.
  virtual void copy(std::span<const int> reads, int writes, std::function<void()> body) = 0;
};

class BlockWork : public BlockCopies {
 public:
  /// As exchange::migrate(), but for the data, which is there after finish(). generation: of the faces that
  /// come with a block.
  virtual void migrate(BlockStore& store, const BlockTree& tree, std::span<const BlockMove> moves,
                       exchange::Communicator& ranks, int generation) = 0;
  /// Returns when all is done that was given. Called before the end.
  virtual void finish() = 0;
};

/// Copies gather, and some are executed together by for_each(n, body), which calls body(0..n-1) in any order
/// or at the same time, and returns when all are done.
template <class Field>
class BlockLoops final : public BlockWork {
 public:
  using ForEach = std::function<void(int n, const std::function<void(int)>& body)>;

  BlockLoops(Field& field, ForEach for_each) : field_(field), for_each_(std::move(for_each)) {}

  [[nodiscard]] int take() override { return field_.reserve(); }
  void give_back(int slot) override {
    freed_.push_back(slot);
    finish_many();
  }
  void copy(std::span<const int> /*reads*/, int /*writes*/, std::function<void()> body) override {
    copies_.push_back(std::move(body));
    finish_many();
  }
  void migrate(BlockStore& store, const BlockTree& tree, std::span<const BlockMove> moves,
               exchange::Communicator& ranks, int generation) override {
    finish();
    BlockCarrier carrier(field_, generation);
    exchange::migrate(carrier, store, tree, moves, ranks, for_each_);
  }
  void finish() override {
    if (!copies_.empty())
      for_each_(static_cast<int>(copies_.size()), [&](int n) { copies_[static_cast<std::size_t>(n)](); });
    copies_.clear();
    for (const int slot : freed_) field_.release(slot);
    freed_.clear();
  }

 private:
  // Of 16 families: old and new slots are both in use meanwhile.
  static constexpr std::size_t kMany = std::size_t{16} * kChildren;

  void finish_many() {
    if (copies_.size() >= kMany || freed_.size() >= kMany) finish();
  }

  Field& field_;
  ForEach for_each_;
  std::vector<std::function<void()>> copies_;
  std::vector<int> freed_;
};

}  // namespace heddle::amr
