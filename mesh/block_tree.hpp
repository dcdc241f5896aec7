// The block tree: which blocks exist, and which rank has them. An array of keys that every rank knows; it
// knows no field and not where a block's data lies.
//
// Words: a *leaf* carries data, an *interior* block has been split into its children. *Leaf order* is the
// order along the curve; a *leaf index* is a place in that order, the same on every rank.
//
// Invariant: keys() is in leaf order, the leaves cover the domain and none covers another, and leaf indices
// are valid until the next apply(). The tree does not enforce the one-level difference across faces:
// balance() does.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/key.hpp"

namespace heddle::mesh {

/// What a refinement does to a tree, as leaf indices in leaf order; no leaf is named twice.
struct RefinementPlan {
  std::vector<int> splits;  // each is replaced by its children
  std::vector<int> merges;  // the first along the curve of the children that their parent replaces

  [[nodiscard]] bool is_empty() const { return splits.empty() && merges.empty(); }
};

template <int D>
struct Leaf {
  BlockId<D> id;
  BlockNumber number = 0;
};

template <int D, int R>
class BlockTree {
 public:
  static constexpr int kInterior = -1;
  static constexpr int kAbsent = -2;

  /// A tree of root blocks only, all of rank 0.
  explicit BlockTree(const Geometry<D, R>& geometry);
  /// The tree that has these keys. Requires: are_leaves(geometry, keys).
  BlockTree(const Geometry<D, R>& geometry, std::vector<Key> keys)
      : geometry_(geometry), keys_(std::move(keys)) {}
  /// Whether keys are leaves that cover the domain, in leaf order.
  [[nodiscard]] static bool are_leaves(const Geometry<D, R>& geometry, std::span<const Key> keys);

  [[nodiscard]] const Geometry<D, R>& geometry() const { return geometry_; }
  [[nodiscard]] int size() const { return static_cast<int>(keys_.size()); }
  [[nodiscard]] std::span<const Key> keys() const { return keys_; }
  [[nodiscard]] const Key& key(int leaf) const { return keys_[static_cast<std::size_t>(leaf)]; }
  [[nodiscard]] BlockId<D> id(int leaf) const { return geometry_.block(key(leaf).place, key(leaf).level); }
  [[nodiscard]] Leaf<D> leaf(int leaf) const {
    const BlockId<D> block = id(leaf);
    return {block, geometry_.number(block)};
  }

  /// The leaf that covers the smallest block at a place. Requires: 0 <= place < geometry().places().
  /// Cost: a binary search.
  [[nodiscard]] int covering(std::int64_t place) const;
  /// A leaf index, kInterior or kAbsent.
  [[nodiscard]] int find(const BlockId<D>& block) const;

  /// One entry per level that there may be.
  [[nodiscard]] std::vector<int> leaves_per_level() const;
  /// One entry per rank. Requires: every owner is below `ranks`.
  [[nodiscard]] std::vector<int> leaves_per_owner(int ranks) const;

  /// Replaces leaves by their children, which stay with their owner, and children by their parent, which the
  /// owner of the first of them along the curve gets.
  /// Ensures: keys() is in leaf order again; earlier leaf indices mean nothing any more.
  /// Cost:    one pass over the leaves.
  void apply(const RefinementPlan& plan);
  /// Gives a leaf to a rank.
  void set_owner(int leaf, int rank) { keys_[static_cast<std::size_t>(leaf)].owner = rank; }
  /// ranks: of each leaf.
  void set_owners(const std::vector<int>& ranks) {
    for (std::size_t leaf = 0; leaf < keys_.size(); ++leaf) keys_[leaf].owner = ranks[leaf];
  }

 private:
  Geometry<D, R> geometry_;
  std::vector<Key> keys_;
};

extern template class BlockTree<2, 2>;
extern template class BlockTree<2, 3>;
extern template class BlockTree<3, 2>;
extern template class BlockTree<3, 3>;

}  // namespace heddle::mesh
