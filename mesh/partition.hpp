// Partitions: which rank gets which leaf. Data and arithmetic; every rank computes the same from the same
// keys.
//
// Words: a *cut* divides the ranks of a group into `factor` equal groups, and the leaves of the group among
// these; a sequence of cuts, the first of all ranks, leaves one rank a group. *Bisection* orders a group's
// leaves along an axis before it cuts, a curve has them in order already.
//
// Source: recursive coordinate bisection as miniAMR does it (Vaughan and Barrett, "Enabling tractable
// exploration of the performance of adaptive mesh refinement", 2015); cuts of curves: Warren and Salmon, "A
// parallel hashed oct-tree N-body algorithm", 1993.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "mesh/block_tree.hpp"

namespace heddle::mesh {

struct Cut {
  int factor = 2;
  int axis = 0;  // of bisection
};

/// How a grid of ranks is divided: prime factors of their number, the largest first, each along an axis that
/// has it left. by_length: along the axis with most ranks left, else the last that will do.
template <int D>
[[nodiscard]] std::vector<Cut> cuts_of(std::array<int, D> grid, bool by_length);

/// Where each rank stands in the grid that these cuts divide.
template <int D>
[[nodiscard]] std::vector<std::array<int, D>> grid_positions(const std::vector<Cut>& cuts);

struct BisectionRule {
  bool along_longest = false;  // the axis along which the group's centres extend furthest, not the cut's
  bool keeps_planes = false;   // leaves whose centres lie in one plane stay together
  bool breaks_ties_by_rank =
      false;  // of leaves in one plane those of the lower ranks come first, not by the other axes
};

inline constexpr int kEveryRank = -1;

/// The leaves that each rank gets: the rank by leaf index. With `only`, one rank looks for its own: those of
/// others are kEveryRank.
/// Cost: for one rank two to three passes over all leaves; for every rank one for each cut.
template <int D, int R>
[[nodiscard]] std::vector<int> bisect(const BlockTree<D, R>& tree, const std::vector<Cut>& cuts,
                                      const BisectionRule& rule, int only = kEveryRank);

/// The same along a curve, where the leaves lie at these places. together: leaves whose places have the same
/// quotient by it go to one rank, 1 for none; 2^D for siblings of the deepest level, ratio 2.
[[nodiscard]] std::vector<int> cut_curve(std::span<const std::int64_t> places, const std::vector<Cut>& cuts,
                                         std::int64_t together);

/// Equal numbers of leaves along the curve, but that siblings of which all are leaves go to one rank, so that
/// whoever has one of them can join them: the rank by leaf index.
template <int D, int R>
[[nodiscard]] std::vector<int> cut_between_families(const BlockTree<D, R>& tree, int ranks);

/// Of all leaves, along the tree's own curve.
template <int D, int R>
[[nodiscard]] std::vector<std::int64_t> places_of(const BlockTree<D, R>& tree);

}  // namespace heddle::mesh
