#include "mesh/block_tree.hpp"

#include <algorithm>
#include <cassert>

namespace heddle::mesh {

template <int D, int R>
BlockTree<D, R>::BlockTree(const Geometry<D, R>& geometry) : geometry_(geometry) {
  for (std::int64_t place = 0; place < geometry.places(); place += geometry.span(0))
    keys_.push_back({place, 0, 0});
}

template <int D, int R>
bool BlockTree<D, R>::are_leaves(const Geometry<D, R>& geometry, std::span<const Key> keys) {
  std::int64_t next = 0;
  for (const Key& key : keys) {
    if (key.place != next || key.level < 0 || key.level > geometry.deepest_level() || key.owner < 0)
      return false;
    const std::int64_t span = geometry.span(key.level);
    if (next % span != 0) return false;
    next += span;
  }
  return next == geometry.places();
}

template <int D, int R>
int BlockTree<D, R>::covering(std::int64_t place) const {
  assert(0 <= place && place < geometry_.places());
  const auto behind = std::upper_bound(keys_.begin(), keys_.end(), place,
                                       [](std::int64_t at, const Key& key) { return at < key.place; });
  return static_cast<int>(behind - keys_.begin()) - 1;
}

template <int D, int R>
int BlockTree<D, R>::find(const BlockId<D>& block) const {
  const std::int64_t place = geometry_.place(block);
  const int leaf = covering(place);
  const int level = key(leaf).level;
  if (level > block.level) return kInterior;
  return level == block.level ? leaf : kAbsent;
}

template <int D, int R>
std::vector<int> BlockTree<D, R>::leaves_per_level() const {
  std::vector<int> count(static_cast<std::size_t>(geometry_.deepest_level()) + 1, 0);
  for (const Key& key : keys_) ++count[static_cast<std::size_t>(key.level)];
  return count;
}

template <int D, int R>
std::vector<int> BlockTree<D, R>::leaves_per_owner(int ranks) const {
  std::vector<int> count(static_cast<std::size_t>(ranks), 0);
  for (const Key& key : keys_) ++count[static_cast<std::size_t>(key.owner)];
  return count;
}

template <int D, int R>
void BlockTree<D, R>::apply(const RefinementPlan& plan) {
  constexpr int kAll = kChildren<D, R>;
  if (plan.is_empty()) return;
  std::vector<Key> after;
  after.reserve(keys_.size() + plan.splits.size() * (kAll - 1) - plan.merges.size() * (kAll - 1));
  auto split = plan.splits.begin();
  auto merge = plan.merges.begin();
  for (int n = 0; n < size(); ++n) {
    const Key& was = key(n);
    if (split != plan.splits.end() && *split == n) {
      ++split;
      // The blocks below a block follow each other along the curve, wherever it goes.
      const std::int64_t span = geometry_.span(was.level + 1);
      for (int c = 0; c < kAll; ++c) after.push_back({was.place + c * span, was.owner, was.level + 1});
    } else if (merge != plan.merges.end() && *merge == n) {
      ++merge;
      after.push_back({was.place, was.owner, was.level - 1});
      n += kAll - 1;
      assert(n < size() && key(n).level == was.level);
    } else {
      after.push_back(was);
    }
  }
  assert(split == plan.splits.end() && merge == plan.merges.end() && "plans are in leaf order");
  keys_ = std::move(after);
}

template class BlockTree<2, 2>;
template class BlockTree<2, 3>;
template class BlockTree<3, 2>;
template class BlockTree<3, 3>;

}  // namespace heddle::mesh
