// The block tree: which blocks exist. Metadata only; it knows no field.
//
// Words: a *leaf* carries data, an *interior* block has been split into eight children. *Leaf order* is level
// ascending and, inside a level, number descending; a *leaf index* is a place in that order. A *slot* is the
// name under which somebody else keeps the data of a leaf.
//
// Invariant: every root is a leaf or interior, every interior block has eight children, leaves() is in leaf
// order, and leaf indices are valid until the next apply(). The tree does not enforce the one-level
// difference across faces: marking does.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "amr/mesh/geometry.hpp"
#include "amr/mesh/number_table.hpp"

namespace heddle::amr {

struct Leaf {
  BlockId id;
  BlockNumber number = 0;
  int slot = -1;
};

struct Split {
  int leaf = 0;
  std::array<int, kChildren> child_slots{};
};

struct Merge {
  BlockId parent;
  int slot = 0;
};

class BlockTree {
 public:
  static constexpr int kInterior = -1;
  static constexpr int kAbsent = -2;

  /// A tree of root blocks only. Root number n gets slot n.
  explicit BlockTree(const Geometry& geometry);

  [[nodiscard]] const Geometry& geometry() const { return geometry_; }
  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  [[nodiscard]] int size() const { return static_cast<int>(leaves_.size()); }
  [[nodiscard]] const std::vector<BlockId>& interior() const { return interior_; }
  /// A leaf index, kInterior or kAbsent.
  [[nodiscard]] int find(const BlockId& block) const { return index_.find(geometry_.number(block), kAbsent); }
  [[nodiscard]] int deepest_level() const { return leaves_.back().id.level; }
  [[nodiscard]] std::vector<int> leaves_per_level() const;
  /// Sum over leaves of scatter(number) modulo 2^64: the same for two trees exactly when (but for a
  /// collision) they are equal.
  [[nodiscard]] std::uint64_t fingerprint() const;

  /// Replaces leaves by their children and families of eight leaves by their parent.
  /// Requires: no leaf is in both lists.
  /// Ensures:  leaves() is in leaf order again; earlier leaf indices mean nothing any more.
  void apply(std::span<const Split> splits, std::span<const Merge> merges);

 private:
  void reindex();

  Geometry geometry_;
  std::vector<Leaf> leaves_;
  std::vector<BlockId> interior_;
  NumberTable index_;
};

/// Sixteen hexadecimal digits.
[[nodiscard]] std::string to_hex(std::uint64_t fingerprint);

}  // namespace heddle::amr
