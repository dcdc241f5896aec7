#include "mesh/families.hpp"

namespace heddle::mesh {

template <int D, int R>
Families<D, R> find_families(const BlockTree<D, R>& tree) {
  Families<D, R> families;
  families.of_leaf.assign(tree.leaves().size(), -1);
  for (const BlockId<D>& id : tree.interior()) {
    Family<D, R> family;
    family.parent = id;
    bool any_leaf = false;
    for (int c = 0; c < kChildren<D, R>; ++c) {
      family.child[c] = tree.find(child<R>(id, c));
      if (family.child[c] >= 0) {
        any_leaf = true;
        families.of_leaf[static_cast<std::size_t>(family.child[c])] = static_cast<int>(families.list.size());
      } else {
        family.all_leaves = false;
      }
    }
    if (any_leaf) families.list.push_back(family);
  }
  return families;
}

template Families<2, 2> find_families(const BlockTree<2, 2>&);
template Families<2, 3> find_families(const BlockTree<2, 3>&);
template Families<3, 2> find_families(const BlockTree<3, 2>&);
template Families<3, 3> find_families(const BlockTree<3, 3>&);

}  // namespace heddle::mesh
