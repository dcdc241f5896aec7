#include "mesh/neighbours.hpp"

#include <cassert>

namespace heddle::mesh {
namespace {

template <int D, int R>
Face<D, R> find_face(const BlockTree<D, R>& tree, const BlockId<D>& block, int axis, int side) {
  Face<D, R> face;
  BlockId<D> across = block;
  across.position[axis] += side == 0 ? -1 : 1;
  const int along = tree.geometry().blocks_along(axis, block.level);
  if (across.position[axis] < 0 || across.position[axis] >= along) {
    if (!tree.geometry().topology().is_periodic[axis]) return face;
    across.position[axis] = side == 0 ? along - 1 : 0;
  }

  const int found = tree.find(across);
  const auto axes = transverse<D>(axis);
  if (found >= 0) {
    face.kind = FaceKind::same;
    face.leaf[0] = found;
  } else if (found == BlockTree<D, R>::kInterior) {
    face.kind = FaceKind::finer;
    for (int subface = 0; subface < kSubfaces<D, R>; ++subface) {
      BlockId<D> fine{block.level + 1, {}};
      // The fine blocks that touch the face are those on the near side of the block across.
      fine.position[axis] = R * across.position[axis] + (side == 0 ? R - 1 : 0);
      int digits = subface;
      for (const int d : axes) {
        fine.position[d] = R * across.position[d] + digits % R;
        digits /= R;
      }
      face.leaf[subface] = tree.find(fine);
      assert(face.leaf[subface] >= 0 && "the mesh differs by more than one level across a face");
    }
  } else {
    face.kind = FaceKind::coarser;
    int subface = 0;
    for (int n = D - 2; n >= 0; --n) subface = R * subface + block.position[axes[n]] % R;
    face.subface = static_cast<unsigned char>(subface);
    face.leaf[0] = tree.find(parent<R>(across));
    assert(face.leaf[0] >= 0 && "the mesh differs by more than one level across a face");
  }
  return face;
}

}  // namespace

template <int D, int R>
BlockFaces<D, R> find_neighbours(const BlockTree<D, R>& tree, const BlockId<D>& block) {
  BlockFaces<D, R> faces;
  for (int f = 0; f < kFaces<D>; ++f) faces[f] = find_face(tree, block, f / 2, f % 2);
  return faces;
}

template BlockFaces<2, 2> find_neighbours(const BlockTree<2, 2>&, const BlockId<2>&);
template BlockFaces<2, 3> find_neighbours(const BlockTree<2, 3>&, const BlockId<2>&);
template BlockFaces<3, 2> find_neighbours(const BlockTree<3, 2>&, const BlockId<3>&);
template BlockFaces<3, 3> find_neighbours(const BlockTree<3, 3>&, const BlockId<3>&);

}  // namespace heddle::mesh
