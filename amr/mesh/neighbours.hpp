// Who lies across each face of each leaf.
//
// Words: across a face lies the *boundary* of the domain, a block of the *same* level, one *coarser* block,
// or four *finer* ones. The axes that span a face of axis d are its *transverse* axes e1, e2: x -> (y, z), y
// -> (x, z), z -> (x, y). A *quarter* names one of four fine blocks on a coarse face: bit 0 is the half along
// e1, bit 1 the half along e2.
//
// Invariant: the tree differs by at most one level across a face. The table belongs to one state of the tree.
#pragma once

#include <array>
#include <vector>

#include "amr/mesh/block_tree.hpp"

namespace heddle::amr {

enum class FaceKind : unsigned char { boundary, same, coarser, finer };

struct Face {
  FaceKind kind = FaceKind::boundary;
  unsigned char quarter = 0;  // kind coarser: which quarter of the coarse face this block covers
  std::array<int, 4> leaf{};  // kind same, coarser: leaf[0]; kind finer: by quarter
  [[nodiscard]] int count() const {
    return kind == FaceKind::boundary ? 0 : (kind == FaceKind::finer ? 4 : 1);
  }
};

using BlockFaces = std::array<Face, kFaces>;

inline constexpr std::array<std::array<int, 2>, kAxes> kTransverse{{{1, 2}, {0, 2}, {0, 1}}};

/// One entry per leaf index.
[[nodiscard]] std::vector<BlockFaces> find_neighbours(const BlockTree& tree);

}  // namespace heddle::amr
