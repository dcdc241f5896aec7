// The exchange plan: for every leaf, what lies across its faces and in which slots. Rebuilt only after the
// mesh changes.
//
// Words: an exchange *pulls*: filling a block's ghosts reads its neighbours and writes nothing but its own
// ghosts.
//
// Invariant: one entry per leaf index; slots and leaf indices are those of the tree that the plan was made
// from.
#pragma once

#include <array>
#include <vector>

#include "amr/mesh/neighbours.hpp"

namespace heddle::amr {

/// Which ghosts an exchange fills.
struct HaloRule {
  int code = 0;              // 0, 1 or 2, as --code
  bool needs_edges = false;  // a stencil that reads edges and corners
  /// The directions are independent of each other: ghosts are made from interior cells alone.
  [[nodiscard]] bool axes_are_independent() const { return code == 0 && !needs_edges; }
};

struct BlockHalo {
  int slot = -1;
  BlockFaces faces{};                                   // by leaf index
  std::array<std::array<int, 4>, kFaces> face_slots{};  // the same by slot
  std::vector<int> neighbours;                          // slots, each once
  std::array<std::vector<int>, kAxes> axis_neighbours;  // slots across the two faces of one axis
};

/// Faces treated by one exchange of the whole mesh, as the reference counts them.
struct FaceCounts {
  long long same = 0;
  long long different = 0;
  long long boundary = 0;
};

struct HaloPlan {
  std::vector<BlockHalo> blocks;
  std::array<FaceCounts, kAxes> counts{};

  HaloPlan() = default;
  explicit HaloPlan(const BlockTree& tree);
};

/// The order of the directions in a stage: x, y, z, or with permute one of six by the stage's global number.
/// There are so many orders, in turn.
inline constexpr int kAxisOrders = 6;
[[nodiscard]] std::array<int, kAxes> axis_order(bool permute, long long global_stage);

}  // namespace heddle::amr
