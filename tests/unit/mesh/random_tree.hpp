// Random meshes, with a printed seed.
#pragma once

#include <random>

#include "mesh/balance.hpp"
#include "tests/support/seed.hpp"
#include "tests/unit/mesh/meshes.hpp"

namespace heddle::mesh {

/// What an application asks for: nothing above the deepest level, and only whole families coarsen.
/// Requires: the part has all leaves.
template <int D, int R>
Marks random_marks(const Geometry<D, R>& geometry, const Part<D, R>& part, std::mt19937& random) {
  std::bernoulli_distribution refines(0.15), coarsens(0.6);
  Marks marks;
  for (int n = 0; n < part.own(); ++n) {
    const bool may_refine = part.leaf(n).id.level < geometry.deepest_level();
    marks.push_back(may_refine && refines(random) ? Mark::refine : Mark::stay);
  }
  for (const auto& family : part.families()) {
    if (!family.all_leaves || !coarsens(random)) continue;
    for (const int leaf : family.child) marks[leaf] = Mark::coarsen;
  }
  return marks;
}

/// After so many random rounds.
template <int D, int R>
BlockTree<D, R> random_tree(int rounds, std::mt19937& random) {
  BlockTree<D, R> tree(Geometry<D, R>(uneven_roots<D>(), D == 2 ? 4 : (R == 2 ? 3 : 2)));
  for (int round = 0; round < rounds; ++round) {
    const Part<D, R> part(tree, 0);
    Marks marks = random_marks(tree.geometry(), part, random);
    balance(marks, part);
    tree.apply(plan_refinement(marks, part));
  }
  return tree;
}

}  // namespace heddle::mesh
