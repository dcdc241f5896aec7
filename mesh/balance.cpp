#include "mesh/balance.hpp"

#include <algorithm>

namespace heddle::mesh {
namespace {

template <int D, int R>
class Balance {
 public:
  Balance(Marks& marks, const Part<D, R>& part) : marks_(marks), part_(part) {
    for (int n = 0; n < part.own(); ++n) {
      const auto level = static_cast<std::size_t>(part.leaf(n).id.level);
      if (levels_.size() <= level) levels_.resize(level + 1);
      levels_[level].push_back(n);
    }
  }

  /// Own leaves, the deepest first: what a leaf asks for concerns its own level and the one above. Returns
  /// whether a mark was raised.
  bool sweep() {
    bool has_raised = false;
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      bool goes_on = true;
      while (goes_on) {
        goes_on = false;
        for (const int leaf : *level) goes_on |= visit(leaf);
        has_raised |= goes_on;
      }
    }
    return has_raised;
  }

 private:
  [[nodiscard]] Mark& mark(int local) { return marks_[static_cast<std::size_t>(local)]; }

  bool visit(int leaf) {
    bool has_raised = false;
    if (mark(leaf) == Mark::coarsen) {
      // One next to finer blocks stays.
      const auto& faces = part_.faces(leaf);
      if (std::none_of(faces.begin(), faces.end(), [](const auto& f) { return f.kind == FaceKind::finer; }))
        return false;
      mark(leaf) = Mark::stay;
      has_raised = true;
    }
    has_raised |= freeze(marks_, part_, leaf);
    // One that stays keeps coarser neighbours from coarsening; one that refines pulls them along, and keeps
    // those of its level.
    const Mark least_coarser = mark(leaf);
    for (const auto& face : part_.faces(leaf)) {
      if (face.kind == FaceKind::coarser) {
        has_raised |= raise(face.leaf[0], least_coarser);
      } else if (face.kind == FaceKind::same && mark(leaf) == Mark::refine) {
        has_raised |= raise(face.leaf[0], Mark::stay);
      }
    }
    return has_raised;
  }

  bool raise(int local, Mark least) {
    if (mark(local) >= least) return false;
    mark(local) = least;
    freeze(marks_, part_, local);
    return true;
  }

  Marks& marks_;
  const Part<D, R>& part_;
  std::vector<std::vector<int>> levels_;
};

}  // namespace

template <int D, int R>
void balance(Marks& marks, const Part<D, R>& part, const ShareMarks& share) {
  Balance<D, R> balance(marks, part);
  bool goes_on = true;
  while (goes_on) {
    const bool has_raised = balance.sweep();
    goes_on = share && share(marks, has_raised);
  }
}

template <int D, int R>
RefinementPlan plan_refinement(const Marks& marks, const Part<D, R>& part) {
  RefinementPlan plan;
  for (int n = 0; n < part.own(); ++n) {
    if (marks[static_cast<std::size_t>(n)] == Mark::refine) plan.splits.push_back(part.leaf_index(n));
  }
  for (const Family<D, R>& family : part.families()) {
    if (family.all_leaves && part.is_own(family.child[0]) &&
        std::all_of(family.child.begin(), family.child.end(),
                    [&](int leaf) { return marks[static_cast<std::size_t>(leaf)] == Mark::coarsen; }))
      plan.merges.push_back(part.leaf_index(family.child[0]));
  }
  return plan;
}

template void balance(Marks&, const Part<2, 2>&, const ShareMarks&);
template void balance(Marks&, const Part<2, 3>&, const ShareMarks&);
template void balance(Marks&, const Part<3, 2>&, const ShareMarks&);
template void balance(Marks&, const Part<3, 3>&, const ShareMarks&);
template RefinementPlan plan_refinement(const Marks&, const Part<2, 2>&);
template RefinementPlan plan_refinement(const Marks&, const Part<2, 3>&);
template RefinementPlan plan_refinement(const Marks&, const Part<3, 2>&);
template RefinementPlan plan_refinement(const Marks&, const Part<3, 3>&);

}  // namespace heddle::mesh
