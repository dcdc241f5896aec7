#include "amr/refine/families.hpp"

namespace heddle::amr {

Families find_families(const BlockTree& tree) {
  Families families;
  families.of_leaf.assign(tree.leaves().size(), -1);
  for (const BlockId& id : tree.interior()) {
    Family family;
    family.parent = id;
    bool any_leaf = false;
    for (int o = 0; o < kChildren; ++o) {
      family.child[o] = tree.find(child(id, o));
      if (family.child[o] >= 0) {
        any_leaf = true;
        families.of_leaf[static_cast<std::size_t>(family.child[o])] = static_cast<int>(families.list.size());
      } else {
        family.all_leaves = false;
      }
    }
    if (any_leaf) families.list.push_back(family);
  }
  return families;
}

}  // namespace heddle::amr
