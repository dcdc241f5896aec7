#include "amr/mesh/neighbours.hpp"

#include <cassert>

namespace heddle::amr {
namespace {

Face find_face(const BlockTree& tree, const BlockId& block, int axis, int side) {
  Face face;
  BlockId across = block;
  across.position[axis] += side == 0 ? -1 : 1;
  if (across.position[axis] < 0 || across.position[axis] >= tree.geometry().blocks_along(axis, block.level))
    return face;

  const int found = tree.find(across);
  const auto [e1, e2] = kTransverse[axis];
  if (found >= 0) {
    face.kind = FaceKind::same;
    face.leaf[0] = found;
  } else if (found == BlockTree::kInterior) {
    face.kind = FaceKind::finer;
    for (int quarter = 0; quarter < 4; ++quarter) {
      // The fine blocks that touch the face are those on the near side of the block across.
      const int o = ((1 - side) << axis) | ((quarter & 1) << e1) | ((quarter >> 1) << e2);
      face.leaf[quarter] = tree.find(child(across, o));
      assert(face.leaf[quarter] >= 0 && "the mesh differs by more than one level across a face");
    }
  } else {
    face.kind = FaceKind::coarser;
    face.quarter = static_cast<unsigned char>((block.position[e1] & 1) | ((block.position[e2] & 1) << 1));
    face.leaf[0] = tree.find(parent(across));
    assert(face.leaf[0] >= 0 && "the mesh differs by more than one level across a face");
  }
  return face;
}

}  // namespace

std::vector<BlockFaces> find_neighbours(const BlockTree& tree) {
  std::vector<BlockFaces> faces(tree.leaves().size());
  for (std::size_t n = 0; n < faces.size(); ++n) {
    for (int f = 0; f < kFaces; ++f) faces[n][f] = find_face(tree, tree.leaves()[n].id, f / 2, f % 2);
  }
  return faces;
}

}  // namespace heddle::amr
