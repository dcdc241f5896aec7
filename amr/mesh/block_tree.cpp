#include "amr/mesh/block_tree.hpp"

#include <algorithm>
#include <cassert>
#include <cstdio>

namespace heddle::amr {

BlockTree::BlockTree(const Geometry& geometry) : geometry_(geometry) {
  const auto& roots = geometry.roots();
  for (int z = 0; z < roots[2]; ++z) {
    for (int y = 0; y < roots[1]; ++y) {
      for (int x = 0; x < roots[0]; ++x) {
        const BlockId id{0, {x, y, z}};
        const BlockNumber number = geometry.number(id);
        leaves_.push_back({id, number, static_cast<int>(number)});
      }
    }
  }
  reindex();
}

std::vector<int> BlockTree::leaves_per_level() const {
  std::vector<int> count(static_cast<std::size_t>(geometry_.num_refine()) + 1, 0);
  for (const Leaf& leaf : leaves_) ++count[static_cast<std::size_t>(leaf.id.level)];
  return count;
}

std::uint64_t BlockTree::fingerprint() const {
  std::uint64_t sum = 0;
  for (const Leaf& leaf : leaves_) sum += scatter(static_cast<std::uint64_t>(leaf.number));
  return sum;
}

void BlockTree::apply(std::span<const Split> splits, std::span<const Merge> merges) {
  if (splits.empty() && merges.empty()) return;
  std::vector<Leaf> added;
  added.reserve(splits.size() * kChildren + merges.size());
  std::vector<char> is_gone(leaves_.size(), 0);

  for (const Split& split : splits) {
    const BlockId id = leaves_[static_cast<std::size_t>(split.leaf)].id;
    is_gone[static_cast<std::size_t>(split.leaf)] = 1;
    interior_.push_back(id);
    for (int o = 0; o < kChildren; ++o) {
      const BlockId c = child(id, o);
      added.push_back({c, geometry_.number(c), split.child_slots[static_cast<std::size_t>(o)]});
    }
  }
  NumberTable merged;
  merged.reset(merges.size());
  for (const Merge& merge : merges) {
    merged.insert(geometry_.number(merge.parent), 1);
    added.push_back({merge.parent, geometry_.number(merge.parent), merge.slot});
    for (int o = 0; o < kChildren; ++o) {
      const int leaf = find(child(merge.parent, o));
      assert(leaf >= 0);
      is_gone[static_cast<std::size_t>(leaf)] = 1;
    }
  }
  std::erase_if(interior_, [&](const BlockId& id) { return merged.find(geometry_.number(id), 0) != 0; });

  std::size_t kept = 0;
  for (std::size_t n = 0; n < leaves_.size(); ++n) {
    if (!is_gone[n]) leaves_[kept++] = leaves_[n];
  }
  leaves_.resize(kept);
  leaves_.insert(leaves_.end(), added.begin(), added.end());
  reindex();
}

void BlockTree::reindex() {
  std::sort(leaves_.begin(), leaves_.end(), [](const Leaf& a, const Leaf& b) {
    return a.id.level != b.id.level ? a.id.level < b.id.level : a.number > b.number;
  });
  index_.reset(leaves_.size() + interior_.size());
  for (std::size_t n = 0; n < leaves_.size(); ++n) index_.insert(leaves_[n].number, static_cast<int>(n));
  for (const BlockId& id : interior_) index_.insert(geometry_.number(id), kInterior);
}

std::string to_hex(std::uint64_t fingerprint) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(fingerprint));
  return text.data();
}

}  // namespace heddle::amr
