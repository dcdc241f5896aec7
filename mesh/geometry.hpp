// Where a block lies: the arithmetic of levels, positions, numbers and the curve. Nothing here knows which
// blocks exist.
//
// Words: *mesh units* divide each root into 2*R^L integer steps along an axis, L being the deepest level, so
// that even the smallest block has an integer centre. The *curve* visits the smallest blocks one after the
// other, and the blocks below any block without a gap; a block's *place* is the number of the first one that
// it contains, so that places order blocks of which none contains another.
//
// Invariant: block() is the inverse of place(); number() is strictly increasing in (level, last axis, ...,
// first axis). Morton's curve visits roots in the order of their interleaved positions and children in the
// order of their numbers. Peano's goes from each block to one that shares a face with it, where the ratio is
// 3 and all numbers of roots but that along the last axis are odd.
//
// Source: Peano, "Sur une courbe, qui remplit toute une aire plane", 1890; Bader, "Space-filling curves",
// 2013, section 2.4.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/block_id.hpp"

namespace heddle::mesh {

/// The part of the unit cube that a block covers.
template <int D>
struct Extent {
  std::array<double, D> low{};
  std::array<double, D> high{};
};

/// Where the root blocks lie, in the order of their numbers. roots: how many along each axis.
template <int D>
[[nodiscard]] std::vector<std::array<int, D>> root_positions(const std::array<int, D>& roots);

enum class Curve { morton, peano };

/// How blocks follow each other, and what lies beyond the domain's faces.
template <int D>
struct Topology {
  Curve curve = Curve::morton;
  std::array<bool, D> is_periodic{};  // along an axis: the last block's neighbour is the first
};

template <int D, int R>
class Geometry {
 public:
  /// Requires: roots are positive and fits(roots, deepest_level); Peano's curve is for ratio 3.
  Geometry(std::array<int, D> roots, int deepest_level, Topology<D> topology = {});

  /// Whether block numbers, places and mesh units of such a mesh stay within their integer types.
  [[nodiscard]] static bool fits(std::array<int, D> roots, int deepest_level);

  [[nodiscard]] const std::array<int, D>& roots() const { return roots_; }
  [[nodiscard]] int deepest_level() const { return deepest_level_; }
  [[nodiscard]] const Topology<D>& topology() const { return topology_; }
  /// Blocks of this level along an axis.
  [[nodiscard]] int blocks_along(int axis, int level) const {
    return static_cast<int>(roots_[axis] * along_[level]);
  }
  /// Length of the domain in mesh units.
  [[nodiscard]] std::int64_t mesh_units(int axis) const { return 2 * roots_[axis] * along_[deepest_level_]; }
  [[nodiscard]] std::int64_t half_width(int level) const { return along_[deepest_level_ - level]; }
  [[nodiscard]] std::int64_t centre(const BlockId<D>& block, int axis) const {
    return (2 * static_cast<std::int64_t>(block.position[axis]) + 1) * half_width(block.level);
  }
  [[nodiscard]] Extent<D> extent(const BlockId<D>& block) const;
  [[nodiscard]] BlockNumber number(const BlockId<D>& block) const;
  /// Along the curve, counted in blocks of the deepest level.
  [[nodiscard]] std::int64_t place(const BlockId<D>& block) const;
  /// Places in all, and those within one block of a level.
  [[nodiscard]] std::int64_t places() const {
    return static_cast<std::int64_t>(root_rank_.size()) * inside_[deepest_level_];
  }
  [[nodiscard]] std::int64_t span(int level) const { return inside_[deepest_level_ - level]; }
  /// The block of a level that begins at a place: the inverse of place().
  [[nodiscard]] BlockId<D> block(std::int64_t place, int level) const;

 private:
  static constexpr int kMostLevels = 28;

  [[nodiscard]] std::int64_t morton_below_root(BlockId<D> block) const;
  [[nodiscard]] std::int64_t peano_below_root(const BlockId<D>& block) const;

  std::array<int, D> roots_;
  int deepest_level_;
  Topology<D> topology_;
  std::array<std::int64_t, kMostLevels> along_{};   // blocks of each level along an edge of a root
  std::array<std::int64_t, kMostLevels> inside_{};  // the same, all those of a root
  std::array<BlockNumber, kMostLevels> base_{};     // number of the first block of each level
  std::vector<std::int32_t> root_rank_;             // along the curve, by number
  std::vector<std::array<int, D>> root_along_;      // position of each, along the curve
};

extern template class Geometry<2, 2>;
extern template class Geometry<2, 3>;
extern template class Geometry<3, 2>;
extern template class Geometry<3, 3>;

}  // namespace heddle::mesh
