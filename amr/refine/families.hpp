// Families: the eight children of one interior block, as marking and merging see them.
//
// Invariant: the table belongs to one state of the tree. A family is listed if at least one of its children
// is a leaf.
#pragma once

#include <array>
#include <vector>

#include "amr/mesh/block_tree.hpp"

namespace heddle::amr {

struct Family {
  BlockId parent;
  std::array<int, kChildren> child{};  // leaf index, or BlockTree::kInterior
  bool all_leaves = true;
};

struct Families {
  std::vector<Family> list;
  std::vector<int> of_leaf;  // index into list, -1 for a root
};

[[nodiscard]] Families find_families(const BlockTree& tree);

}  // namespace heddle::amr
