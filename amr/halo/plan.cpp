#include "amr/halo/plan.hpp"

namespace heddle::amr {
namespace {

void count(FaceCounts& counts, const Face& face) {
  switch (face.kind) {
    case FaceKind::boundary:
      ++counts.boundary;
      break;
    case FaceKind::same:
      ++counts.same;
      break;
    case FaceKind::coarser:
      ++counts.different;
      break;
    case FaceKind::finer:
      counts.different += 4;
      break;
  }
}

}  // namespace

HaloPlan::HaloPlan(const BlockTree& tree) : blocks(tree.leaves().size()) {
  const auto& leaves = tree.leaves();
  const std::vector<BlockFaces> faces = find_neighbours(tree);
  for (std::size_t n = 0; n < blocks.size(); ++n) {
    BlockHalo& halo = blocks[n];
    halo.slot = leaves[n].slot;
    halo.faces = faces[n];
    for (int f = 0; f < kFaces; ++f) {
      const Face& face = faces[n][f];
      count(counts[f / 2], face);
      for (int q = 0; q < face.count(); ++q) {
        const int slot = leaves[face.leaf[q]].slot;
        halo.face_slots[f][q] = slot;
        halo.axis_neighbours[f / 2].push_back(slot);
        halo.neighbours.push_back(slot);  // no block lies across two faces: the domain is not periodic
      }
    }
  }
}

std::array<int, kAxes> axis_order(bool permute, long long global_stage) {
  static constexpr std::array<std::array<int, kAxes>, kAxisOrders> kOrders{
      {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};
  return kOrders[permute ? global_stage % kAxisOrders : 0];
}

}  // namespace heddle::amr
