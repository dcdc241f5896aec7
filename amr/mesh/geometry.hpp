// Where a block lies: the arithmetic of levels, positions and numbers. Nothing here knows which blocks exist.
//
// Words: a *root* block is a block of level 0; *R* (num_refine) is the deepest level. A *position* counts
// blocks of its level along each axis. *Mesh units* divide the domain into G*2^(R+1) integer steps along an
// axis, so that even the smallest block has an integer centre. A *number* is unique over all levels.
//
// Invariant: number() is strictly increasing in (level, z, y, x), and child() and parent() are each other's
// inverse.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::amr {

inline constexpr int kAxes = 3;
inline constexpr int kFaces = 6;     // -x, +x, -y, +y, -z, +z
inline constexpr int kChildren = 8;  // x fastest

using BlockNumber = std::int64_t;

struct BlockId {
  int level = 0;
  std::array<int, kAxes> position{};

  bool operator==(const BlockId&) const = default;
};

/// The part of the unit cube that a block covers.
struct Extent {
  std::array<double, kAxes> low{};
  std::array<double, kAxes> high{};
};

[[nodiscard]] constexpr BlockId parent(const BlockId& block) {
  return {block.level - 1, {block.position[0] / 2, block.position[1] / 2, block.position[2] / 2}};
}

[[nodiscard]] constexpr BlockId child(const BlockId& block, int octant) {
  return {block.level + 1,
          {2 * block.position[0] + (octant & 1), 2 * block.position[1] + ((octant >> 1) & 1),
           2 * block.position[2] + (octant >> 2)}};
}

/// Which child of its parent a block is.
[[nodiscard]] constexpr int octant(const BlockId& block) {
  return (block.position[0] & 1) | ((block.position[1] & 1) << 1) | ((block.position[2] & 1) << 2);
}

class Geometry {
 public:
  /// Requires: roots are positive and fits(roots, num_refine).
  Geometry(std::array<int, kAxes> roots, int num_refine);

  /// Whether block numbers and mesh units of such a mesh stay within their integer types.
  [[nodiscard]] static bool fits(std::array<int, kAxes> roots, int num_refine);

  [[nodiscard]] const std::array<int, kAxes>& roots() const { return roots_; }
  [[nodiscard]] int num_refine() const { return num_refine_; }
  /// Blocks of this level along an axis.
  [[nodiscard]] int blocks_along(int axis, int level) const { return roots_[axis] << level; }
  /// Length of the domain in mesh units.
  [[nodiscard]] std::int64_t mesh_units(int axis) const {
    return static_cast<std::int64_t>(roots_[axis]) << (num_refine_ + 1);
  }
  [[nodiscard]] std::int64_t half_width(int level) const { return std::int64_t{1} << (num_refine_ - level); }
  [[nodiscard]] BlockNumber number(const BlockId& block) const;
  [[nodiscard]] std::int64_t centre(const BlockId& block, int axis) const {
    return (2 * static_cast<std::int64_t>(block.position[axis]) + 1) * half_width(block.level);
  }
  [[nodiscard]] Extent extent(const BlockId& block) const;

 private:
  std::array<int, kAxes> roots_;
  int num_refine_;
  std::array<BlockNumber, 32> base_{};  // number of the first block of each level
};

}  // namespace heddle::amr
