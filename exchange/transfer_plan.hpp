// The exchange of ghost cells as a list of transfers: what is read from which block, and how it becomes the
// ghosts of which other. Rebuilt only after the mesh changes.
//
// Words: a *transfer* fills the ghosts of its *destination* beyond one face, or one subface's part of them,
// from its *source*; what it does with the values is its *operator*. An exchange *pulls*: filling a block's
// ghosts reads its neighbours and writes nothing but its own ghosts.
//
// Invariant: the plan has the own leaves of a part, by local index. The transfers of a leaf stand together,
// and within it those of a face, in the order of faces. Slots are those of the store that the plan was made
// from.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "exchange/block_store.hpp"
#include "mesh/part.hpp"

namespace heddle::exchange {

enum class Operator : unsigned char {
  boundary,     // from the destination's own cells: no block lies across the face
  same_level,   // cell by cell
  from_coarse,  // the source is one level coarser; the destination covers one subface of it
  from_fine,    // the source is one level finer and covers one subface of the destination
};

/// The source is another rank's: its values come in a message (message_plan.hpp).
inline constexpr int kRemote = -1;

struct Transfer {
  int source = kRemote;  // slots
  int destination = -1;
  Operator op = Operator::boundary;
  unsigned char face = 0;  // of the destination: 2 * axis + side
  unsigned char subface = 0;

  [[nodiscard]] bool is_remote() const { return source == kRemote; }
  /// The source is another block of this rank.
  [[nodiscard]] bool reads_own_neighbour() const { return op != Operator::boundary && !is_remote(); }
};

/// A plan's leaves: first the *inner* ones, around which there is nothing of another rank, then those at the
/// border.
struct LeavesByReach {
  std::vector<int> all;
  std::size_t inner_count = 0;

  [[nodiscard]] std::span<const int> inner() const { return std::span(all).first(inner_count); }
  [[nodiscard]] std::span<const int> border() const { return std::span(all).subspan(inner_count); }
};

[[nodiscard]] inline bool any_is_remote(std::span<const Transfer> transfers) {
  return std::any_of(transfers.begin(), transfers.end(), [](const Transfer& t) { return t.is_remote(); });
}

template <int D, int R>
class TransferPlan {
 public:
  TransferPlan() = default;
  TransferPlan(const mesh::Part<D, R>& part, const BlockStore& store);

  [[nodiscard]] int leaves() const { return static_cast<int>(slots_.size()); }
  /// Where the data of a leaf lies.
  [[nodiscard]] int slot(int leaf) const { return slots_[static_cast<std::size_t>(leaf)]; }

  [[nodiscard]] std::span<const Transfer> all() const { return transfers_; }
  [[nodiscard]] std::span<const Transfer> into(int leaf) const { return range(leaf, 0, mesh::kFaces<D>); }
  [[nodiscard]] std::span<const Transfer> into_axis(int leaf, int axis) const {
    return range(leaf, 2 * axis, 2 * axis + 2);
  }
  [[nodiscard]] std::span<const Transfer> into_face(int leaf, int face) const {
    return range(leaf, face, face + 1);
  }
  [[nodiscard]] LeavesByReach by_reach() const;

 private:
  [[nodiscard]] std::span<const Transfer> range(int leaf, int first_face, int last_face) const {
    const int* begin = begins_.data() + static_cast<std::ptrdiff_t>(leaf) * mesh::kFaces<D>;
    return {transfers_.data() + begin[first_face], transfers_.data() + begin[last_face]};
  }

  std::vector<Transfer> transfers_;
  std::vector<int> begins_;  // [leaf][face], and one behind the last
  std::vector<int> slots_;   // [leaf]
};

extern template class TransferPlan<2, 2>;
extern template class TransferPlan<2, 3>;
extern template class TransferPlan<3, 2>;
extern template class TransferPlan<3, 3>;

}  // namespace heddle::exchange
