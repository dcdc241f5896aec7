#include "mesh/part.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::mesh {

template <int D, int R>
Part<D, R>::Part(const BlockTree<D, R>& tree, int rank) : rank_(rank) {
  for (int n = 0; n < tree.size(); ++n) {
    if (tree.key(n).owner == rank) indices_.push_back(n);
  }
  own_ = static_cast<int>(indices_.size());
  faces_.reserve(indices_.size());
  for (const int n : indices_) faces_.push_back(find_neighbours(tree, tree.id(n)));
  add_families(tree);
  name_locally(tree);
  find_partners();
}

// A family is added by the first of its leaves that is own.
template <int D, int R>
void Part<D, R>::add_families(const BlockTree<D, R>& tree) {
  const Geometry<D, R>& geometry = tree.geometry();
  const auto parent_place = [&](const Key& key) {
    return key.place - key.place % (geometry.span(key.level) * kChildren<D, R>);
  };
  const Key* before = nullptr;
  for (const int n : indices_) {
    const Key& key = tree.key(n);
    const bool follows_sibling =
        before != nullptr && before->level == key.level && parent_place(*before) == parent_place(key);
    before = &key;
    if (key.level == 0 || follows_sibling) continue;
    Family<D, R> family;
    bool is_first = true;
    for (int c = 0; c < kChildren<D, R>; ++c) {
      const int leaf = tree.covering(parent_place(key) + c * geometry.span(key.level));
      const bool is_leaf = tree.key(leaf).level == key.level;
      family.child[c] = is_leaf ? leaf : BlockTree<D, R>::kInterior;
      family.all_leaves = family.all_leaves && is_leaf;
      is_first = is_first && !(is_leaf && leaf < n && tree.key(leaf).owner == rank_);
    }
    if (is_first) families_.push_back(family);
  }
}

// Makes local indices of leaf indices.
template <int D, int R>
void Part<D, R>::name_locally(const BlockTree<D, R>& tree) {
  std::vector<int> touching;
  const auto meet = [&](int leaf) {
    if (leaf >= 0 && tree.key(leaf).owner != rank_) touching.push_back(leaf);
  };
  for (const auto& faces : faces_) {
    for (const auto& face : faces) {
      for (int n = 0; n < face.count(); ++n) meet(face.leaf[n]);
    }
  }
  for (const auto& family : families_) {
    for (const int leaf : family.child) meet(leaf);
  }
  std::sort(touching.begin(), touching.end());
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
  indices_.insert(indices_.end(), touching.begin(), touching.end());
  for (const int n : indices_) {
    owners_.push_back(tree.key(n).owner);
    leaves_.push_back(tree.leaf(n));
  }

  // Own leaves stand in runs along the curve: one where the curve was cut.
  std::vector<std::pair<int, int>> runs;  // first leaf index, local index
  for (int n = 0; n < own_; ++n) {
    if (n == 0 || indices_[n] != indices_[n - 1] + 1) runs.emplace_back(indices_[n], n);
  }
  const auto local = [&](int leaf) {
    if (tree.key(leaf).owner != rank_)
      return static_cast<int>(std::lower_bound(indices_.begin() + own_, indices_.end(), leaf) -
                              indices_.begin());
    const auto run = std::upper_bound(runs.begin(), runs.end(), std::pair(leaf, own_)) - 1;
    return run->second + leaf - run->first;
  };
  for (auto& faces : faces_) {
    for (auto& face : faces) {
      for (int n = 0; n < face.count(); ++n) face.leaf[n] = local(face.leaf[n]);
    }
  }
  family_of_.assign(indices_.size(), -1);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    for (int& leaf : families_[f].child) {
      if (leaf < 0) continue;
      leaf = local(leaf);
      family_of_[static_cast<std::size_t>(leaf)] = static_cast<int>(f);
    }
  }
}

template <int D, int R>
void Part<D, R>::find_partners() {
  std::map<int, Partner> by_rank;
  for (int local = own_; local < size(); ++local) {
    Partner& partner = by_rank[owner(local)];
    partner.rank = owner(local);
    partner.theirs.push_back(local);
  }
  const auto touches = [&](int mine, int other) {
    if (other < own_) return;
    std::vector<int>& list = by_rank[owner(other)].mine;
    if (list.empty() || list.back() != mine) list.push_back(mine);
  };
  for (int mine = 0; mine < own_; ++mine) {
    for (const auto& face : faces(mine)) {
      for (int n = 0; n < face.count(); ++n) touches(mine, face.leaf[n]);
    }
    if (family_of(mine) < 0) continue;
    for (const int sibling : families_[static_cast<std::size_t>(family_of(mine))].child) {
      if (sibling >= 0) touches(mine, sibling);
    }
  }
  for (auto& [rank, partner] : by_rank) partners_.push_back(std::move(partner));
}

template class Part<2, 2>;
template class Part<2, 3>;
template class Part<3, 2>;
template class Part<3, 3>;

}  // namespace heddle::mesh
