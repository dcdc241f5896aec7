#include "mesh/balance.hpp"

#include <algorithm>

namespace heddle::mesh {
namespace {

template <int D, int R>
class Balance {
 public:
  Balance(Marks& marks, const std::vector<BlockFaces<D, R>>& faces, const Families<D, R>& families)
      : marks_(marks), faces_(faces), families_(families) {}

  /// A block that refines holds its own level and pulls coarser neighbours along; one next to finer blocks
  /// stays.
  bool refining_step(int leaf) {
    bool has_changed = false;
    if (marks_[leaf] == Mark::refine) {
      has_changed |= freeze(marks_, families_, leaf);
      for (const auto& face : faces_[leaf]) {
        if (face.kind == FaceKind::same && marks_[face.leaf[0]] == Mark::coarsen) {
          marks_[face.leaf[0]] = Mark::stay;
          freeze(marks_, families_, face.leaf[0]);
          has_changed = true;
        } else if (face.kind == FaceKind::coarser && marks_[face.leaf[0]] != Mark::refine) {
          marks_[face.leaf[0]] = Mark::refine;
          has_changed = true;
        }
      }
    } else if (marks_[leaf] == Mark::coarsen) {
      for (const auto& face : faces_[leaf]) {
        if (face.kind != FaceKind::finer) continue;
        marks_[leaf] = Mark::stay;
        freeze(marks_, families_, leaf);
        has_changed = true;
        break;
      }
    }
    return has_changed;
  }

  /// A block that stays keeps coarser neighbours from coarsening.
  bool staying_step(int leaf) {
    bool has_changed = false;
    if (marks_[leaf] != Mark::stay) return false;
    for (const auto& face : faces_[leaf]) {
      if (face.kind == FaceKind::coarser && marks_[face.leaf[0]] == Mark::coarsen) {
        marks_[face.leaf[0]] = Mark::stay;
        freeze(marks_, families_, face.leaf[0]);
        has_changed = true;
      }
    }
    return has_changed;
  }

 private:
  Marks& marks_;
  const std::vector<BlockFaces<D, R>>& faces_;
  const Families<D, R>& families_;
};

}  // namespace

template <int D, int R>
void balance(Marks& marks, const BlockTree<D, R>& tree, const std::vector<BlockFaces<D, R>>& faces,
             const Families<D, R>& families) {
  std::vector<std::vector<int>> levels(static_cast<std::size_t>(tree.geometry().deepest_level()) + 1);
  for (int n = 0; n < tree.size(); ++n) levels[tree.leaves()[n].id.level].push_back(n);
  Balance<D, R> steps(marks, faces, families);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    bool has_changed = true;
    while (has_changed) {
      has_changed = false;
      for (const int leaf : *level) has_changed |= steps.refining_step(leaf);
    }
    has_changed = true;
    while (has_changed) {
      has_changed = false;
      for (const int leaf : *level) has_changed |= steps.staying_step(leaf);
    }
  }
}

template <int D, int R>
RefinementPlan<D> plan_refinement(const Marks& marks, const Families<D, R>& families) {
  RefinementPlan<D> plan;
  for (std::size_t n = 0; n < marks.size(); ++n) {
    if (marks[n] == Mark::refine) plan.splits.push_back(static_cast<int>(n));
  }
  for (const Family<D, R>& family : families.list) {
    if (family.all_leaves && std::all_of(family.child.begin(), family.child.end(),
                                         [&](int leaf) { return marks[leaf] == Mark::coarsen; })) {
      plan.merges.push_back(family.parent);
    }
  }
  return plan;
}

template void balance(Marks&, const BlockTree<2, 2>&, const std::vector<BlockFaces<2, 2>>&,
                      const Families<2, 2>&);
template void balance(Marks&, const BlockTree<2, 3>&, const std::vector<BlockFaces<2, 3>>&,
                      const Families<2, 3>&);
template void balance(Marks&, const BlockTree<3, 2>&, const std::vector<BlockFaces<3, 2>>&,
                      const Families<3, 2>&);
template void balance(Marks&, const BlockTree<3, 3>&, const std::vector<BlockFaces<3, 3>>&,
                      const Families<3, 3>&);
template RefinementPlan<2> plan_refinement(const Marks&, const Families<2, 2>&);
template RefinementPlan<2> plan_refinement(const Marks&, const Families<2, 3>&);
template RefinementPlan<3> plan_refinement(const Marks&, const Families<3, 2>&);
template RefinementPlan<3> plan_refinement(const Marks&, const Families<3, 3>&);

}  // namespace heddle::mesh
