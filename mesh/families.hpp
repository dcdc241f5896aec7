// Families: the children of one interior block, as marking and merging see them.
//
// Invariant: the table belongs to one state of the tree. A family is listed if at least one of its children
// is a leaf.
#pragma once

#include <array>
#include <vector>

#include "mesh/block_tree.hpp"

namespace heddle::mesh {

template <int D, int R>
struct Family {
  BlockId<D> parent;
  std::array<int, kChildren<D, R>> child{};  // leaf index, or BlockTree::kInterior
  bool all_leaves = true;
};

template <int D, int R>
struct Families {
  std::vector<Family<D, R>> list;
  std::vector<int> of_leaf;  // index into list, -1 for a root
};

template <int D, int R>
[[nodiscard]] Families<D, R> find_families(const BlockTree<D, R>& tree);

}  // namespace heddle::mesh
