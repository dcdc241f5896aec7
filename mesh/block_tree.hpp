// The block tree: which blocks exist. Metadata only; it knows no field and not where a block's data lies.
//
// Words: a *leaf* carries data, an *interior* block has been split into its children. *Leaf order* is the
// order along the curve; a *leaf index* is a place in that order.
//
// Invariant: every root is a leaf or interior, every interior block has all its children, leaves() is in leaf
// order, and leaf indices are valid until the next apply(). The tree does not enforce the one-level
// difference across faces: balance() does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/number_table.hpp"

namespace heddle::mesh {

/// What a refinement does to a tree: no leaf is in both lists, and splits is in leaf order.
template <int D>
struct RefinementPlan {
  std::vector<int> splits;         // leaf indices: each is replaced by its children
  std::vector<BlockId<D>> merges;  // parents: each replaces its children, which are all leaves
};

template <int D>
struct Leaf {
  BlockId<D> id;
  BlockNumber number = 0;
  std::int64_t place = 0;
};

template <int D, int R>
class BlockTree {
 public:
  static constexpr int kInterior = -1;
  static constexpr int kAbsent = -2;

  /// A tree of root blocks only.
  explicit BlockTree(const Geometry<D, R>& geometry);

  [[nodiscard]] const Geometry<D, R>& geometry() const { return geometry_; }
  [[nodiscard]] const std::vector<Leaf<D>>& leaves() const { return leaves_; }
  [[nodiscard]] int size() const { return static_cast<int>(leaves_.size()); }
  [[nodiscard]] const std::vector<BlockId<D>>& interior() const { return interior_; }
  /// A leaf index, kInterior or kAbsent.
  [[nodiscard]] int find(const BlockId<D>& block) const { return find(geometry_.number(block)); }
  [[nodiscard]] int find(BlockNumber number) const { return index_.find(number, kAbsent); }
  /// One entry per level that there may be.
  [[nodiscard]] std::vector<int> leaves_per_level() const;
  /// Sum over leaves of scatter(number) modulo 2^64: the same for two trees exactly when (but for a
  /// collision) they are equal.
  [[nodiscard]] std::uint64_t fingerprint() const;

  /// Replaces leaves by their children and children by their parent.
  /// Ensures: leaves() is in leaf order again; earlier leaf indices mean nothing any more.
  /// Cost:    one pass over the leaves.
  void apply(const RefinementPlan<D>& plan);

 private:
  [[nodiscard]] Leaf<D> make_leaf(const BlockId<D>& id) const {
    return {id, geometry_.number(id), geometry_.place(id)};
  }
  void reindex();

  Geometry<D, R> geometry_;
  std::vector<Leaf<D>> leaves_;
  std::vector<BlockId<D>> interior_;
  NumberTable index_;
};

/// Sixteen hexadecimal digits.
[[nodiscard]] std::string to_hex(std::uint64_t fingerprint);

extern template class BlockTree<2, 2>;
extern template class BlockTree<2, 3>;
extern template class BlockTree<3, 2>;
extern template class BlockTree<3, 3>;

}  // namespace heddle::mesh
