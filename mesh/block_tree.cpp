#include "mesh/block_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>

namespace heddle::mesh {

template <int D, int R>
BlockTree<D, R>::BlockTree(const Geometry<D, R>& geometry) : geometry_(geometry) {
  for (const auto& position : root_positions<D>(geometry.roots()))
    leaves_.push_back(make_leaf({0, position}));
  std::sort(leaves_.begin(), leaves_.end(),
            [](const Leaf<D>& a, const Leaf<D>& b) { return a.place < b.place; });
  reindex();
}

template <int D, int R>
std::vector<int> BlockTree<D, R>::leaves_per_level() const {
  std::vector<int> count(static_cast<std::size_t>(geometry_.deepest_level()) + 1, 0);
  for (const Leaf<D>& leaf : leaves_) ++count[static_cast<std::size_t>(leaf.id.level)];
  return count;
}

template <int D, int R>
std::uint64_t BlockTree<D, R>::fingerprint() const {
  std::uint64_t sum = 0;
  for (const Leaf<D>& leaf : leaves_) sum += scatter(static_cast<std::uint64_t>(leaf.number));
  return sum;
}

template <int D, int R>
void BlockTree<D, R>::apply(const RefinementPlan<D>& plan) {
  constexpr int kAll = kChildren<D, R>;
  if (plan.splits.empty() && plan.merges.empty()) return;
  NumberTable merged;
  merged.reset(plan.merges.size());
  for (const BlockId<D>& id : plan.merges) merged.insert(geometry_.number(id), 1);
  std::erase_if(interior_, [&](const BlockId<D>& id) { return merged.find(geometry_.number(id), 0) != 0; });

  // Children are neighbours along the curve, wherever it goes: what replaces leaves goes where they were.
  std::vector<Leaf<D>> after;
  after.reserve(leaves_.size() + plan.splits.size() * (kAll - 1));
  auto split = plan.splits.begin();
  for (int n = 0; n < size(); ++n) {
    const BlockId<D> id = leaves_[n].id;
    if (split != plan.splits.end() && *split == n) {
      ++split;
      interior_.push_back(id);
      for (int c = 0; c < kAll; ++c) after.push_back(make_leaf(child<R>(id, c)));
      std::sort(after.end() - kAll, after.end(),
                [](const Leaf<D>& a, const Leaf<D>& b) { return a.place < b.place; });
    } else if (id.level > 0 && !plan.merges.empty() && merged.find(geometry_.number(parent<R>(id)), 0) != 0) {
      after.push_back(make_leaf(parent<R>(id)));
      n += kAll - 1;
      assert(n < size() && parent<R>(leaves_[n].id) == after.back().id);
    } else {
      after.push_back(leaves_[n]);
    }
  }
  assert(split == plan.splits.end() && "splits are in leaf order");
  leaves_ = std::move(after);
  reindex();
}

template <int D, int R>
void BlockTree<D, R>::reindex() {
  index_.reset(leaves_.size() + interior_.size());
  for (std::size_t n = 0; n < leaves_.size(); ++n) index_.insert(leaves_[n].number, static_cast<int>(n));
  for (const BlockId<D>& id : interior_) index_.insert(geometry_.number(id), kInterior);
}

std::string to_hex(std::uint64_t fingerprint) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(fingerprint));
  return text.data();
}

template class BlockTree<2, 2>;
template class BlockTree<2, 3>;
template class BlockTree<3, 2>;
template class BlockTree<3, 3>;

}  // namespace heddle::mesh
