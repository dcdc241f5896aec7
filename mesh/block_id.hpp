// Which block of a refinement hierarchy: its level, and its position among the blocks of that level.
//
// Words: *D* is the dimension (2 or 3), *R* the refinement ratio (2 or 3): a block is replaced by R^D
// *children*, numbered with axis 0 fastest. A *root* block is a block of level 0. A face of a block is
// covered by R^(D-1) *subfaces* where finer blocks lie across it, numbered with the first transverse axis
// fastest.
//
// Invariant: child() and parent() are each other's inverse.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::mesh {

/// Unique over all levels of a hierarchy (Geometry::number()).
using BlockNumber = std::int64_t;

[[nodiscard]] constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

template <int D>
inline constexpr int kFaces = 2 * D;  // low and high side of axis 0, of axis 1 ...
template <int D, int R>
inline constexpr int kChildren = power(R, D);
template <int D, int R>
inline constexpr int kSubfaces = power(R, D - 1);

template <int D>
struct BlockId {
  int level = 0;
  std::array<int, D> position{};

  bool operator==(const BlockId&) const = default;
};

template <int R, int D>
[[nodiscard]] constexpr BlockId<D> parent(const BlockId<D>& block) {
  BlockId<D> up{block.level - 1, {}};
  for (int d = 0; d < D; ++d) up.position[d] = block.position[d] / R;
  return up;
}

template <int R, int D>
[[nodiscard]] constexpr BlockId<D> child(const BlockId<D>& block, int index) {
  BlockId<D> down{block.level + 1, {}};
  for (int d = 0; d < D; ++d, index /= R) down.position[d] = R * block.position[d] + index % R;
  return down;
}

/// Which child of its parent a block is.
template <int R, int D>
[[nodiscard]] constexpr int child_index(const BlockId<D>& block) {
  int index = 0;
  for (int d = D - 1; d >= 0; --d) index = R * index + block.position[d] % R;
  return index;
}

}  // namespace heddle::mesh
