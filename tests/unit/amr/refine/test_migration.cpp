#include "amr/refine/migration.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/field/segregated.hpp"

namespace heddle::amr {
namespace {

constexpr Shape kShape{{4, 6, 2}, 3};
constexpr Shape kWithGhosts{{4, 6, 2}, 3, true};

double value(int v, int i, int j, int k) {
  return 1000 * v + 100 * i + 10 * j + k + 0.5;
}

/// Calls visit(v, i, j, k) for all cells, ghosts included.
template <class Visit>
void for_all(const Shape& shape, Visit&& visit) {
  for (int v = 0; v < shape.num_vars; ++v) {
    for (int i = 0; i <= shape.nx() + 1; ++i) {
      for (int j = 0; j <= shape.ny() + 1; ++j) {
        for (int k = 0; k <= shape.nz() + 1; ++k) visit(v, i, j, k);
      }
    }
  }
}

bool is_ghost(const Shape& s, int i, int j, int k) {
  return i == 0 || i > s.nx() || j == 0 || j > s.ny() || k == 0 || k > s.nz();
}

template <class Field>
std::vector<double> packed(const Shape& shape) {
  Field field(shape);
  const int slot = field.acquire();
  for_all(shape, [&](int v, int i, int j, int k) { field.at(slot, v, i, j, k) = value(v, i, j, k); });
  BlockCarrier carrier(field, 0);
  std::vector<double> data(carrier.doubles());
  carrier.pack(slot, data);
  return data;
}

/// Into a slot that held another block before.
template <class Field>
void expect_unpacked(const Shape& shape, const std::vector<double>& data) {
  Field field(shape);
  const int slot = field.acquire();
  for_all(shape, [&](int v, int i, int j, int k) { field.at(slot, v, i, j, k) = -1.0; });
  BlockCarrier(field, 0).unpack(slot, data);
  for_all(shape, [&](int v, int i, int j, int k) {
    const bool is_lost = !shape.keeps_ghosts && is_ghost(shape, i, j, k);
    ASSERT_EQ(field.at(slot, v, i, j, k), is_lost ? 0.0 : value(v, i, j, k))
        << v << ": " << i << " " << j << " " << k;
  });
  // Dense copies of planes follow.
  for (int side = 0; side < 2; ++side) {
    std::vector<double> scratch(static_cast<std::size_t>(shape.nx() * shape.ny()));
    const auto plane = field.inner_plane(slot, 1, 2, side, scratch.data(), 0);
    EXPECT_EQ(plane.row(2)[3], value(1, 2, 4, side == 0 ? 1 : shape.nz()));
  }
}

TEST(BlockCarrier, LayoutsPackTheSame) {
  for (const Shape& shape : {kShape, kWithGhosts})
    EXPECT_EQ(packed<ContiguousField>(shape), packed<SegregatedField>(shape));
  EXPECT_EQ(packed<ContiguousField>(kShape).size(), 3U * 4 * 6 * 2);
  EXPECT_EQ(packed<ContiguousField>(kWithGhosts).size(), 3U * 6 * 8 * 4);
}

TEST(BlockCarrier, GhostsAreZeroOrTravelWhereTheyAreValues) {
  for (const Shape& shape : {kShape, kWithGhosts}) {
    const std::vector<double> data = packed<ContiguousField>(shape);
    expect_unpacked<ContiguousField>(shape, data);
    expect_unpacked<SegregatedField>(shape, data);
  }
}

}  // namespace
}  // namespace heddle::amr
