// Which leaves lie across each face of a leaf.
//
// Words: across a face lies the *boundary* of the domain (unless it is periodic: then what lies at its other
// end), a block of the *same* level, one *coarser* block,
// or R^(D-1) *finer* ones. The axes that span a face are its *transverse* axes, in rising order; a *subface*
// names one of the fine blocks on a coarse face.
//
// Invariant: the tree differs by at most one level across a face.
#pragma once

#include <array>

#include "mesh/block_tree.hpp"

namespace heddle::mesh {

enum class FaceKind : unsigned char { boundary, same, coarser, finer };

template <int D, int R>
struct Face {
  FaceKind kind = FaceKind::boundary;
  unsigned char subface = 0;                // kind coarser: which part of the coarse face this block covers
  std::array<int, kSubfaces<D, R>> leaf{};  // kind same, coarser: leaf[0]; kind finer: by subface

  [[nodiscard]] int count() const {
    return kind == FaceKind::boundary ? 0 : (kind == FaceKind::finer ? kSubfaces<D, R> : 1);
  }
};

/// Face 2 * axis + side.
template <int D, int R>
using BlockFaces = std::array<Face<D, R>, kFaces<D>>;

/// The transverse axes of a face across this axis.
template <int D>
[[nodiscard]] constexpr std::array<int, D - 1> transverse(int axis) {
  std::array<int, D - 1> axes{};
  for (int d = 0, n = 0; d < D; ++d) {
    if (d != axis) axes[n++] = d;
  }
  return axes;
}

/// Of a block that is a leaf: leaf indices. Cost: a binary search for each neighbour.
template <int D, int R>
[[nodiscard]] BlockFaces<D, R> find_neighbours(const BlockTree<D, R>& tree, const BlockId<D>& block);

}  // namespace heddle::mesh
