#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/field/initial_values.hpp"
#include "amr/field/segregated.hpp"
#include "amr/kernel/block_sums.hpp"
#include "amr/kernel/stencil_27.hpp"
#include "amr/kernel/stencil_7.hpp"
#include "amr/kernel/stencil_7_rows.hpp"

namespace heddle::amr {
namespace {

using Average = std::function<double(const std::function<double(int, int, int)>&)>;

double average_7(const std::function<double(int, int, int)>& u) {
  return (u(-1, 0, 0) + u(0, -1, 0) + u(0, 0, -1) + u(0, 0, 0) + u(0, 0, 1) + u(0, 1, 0) + u(1, 0, 0)) / 7.0;
}

double average_27(const std::function<double(int, int, int)>& u) {
  double plane[3];
  for (int i = -1; i <= 1; ++i) {
    double sum = u(i, -1, -1);
    for (int n = 1; n < 9; ++n) sum += u(i, n / 3 - 1, n % 3 - 1);
    plane[i + 1] = sum;
  }
  return (plane[0] + plane[1] + plane[2]) / 27.0;
}

template <class Field>
void fill_all(Field& field, int slot) {
  RandomStream stream;
  const Shape& s = field.shape();
  for (int i = 0; i <= s.nx() + 1; ++i) {
    for (int j = 0; j <= s.ny() + 1; ++j) {
      for (int k = 0; k <= s.nz() + 1; ++k) field.at(slot, 0, i, j, k) = stream.next_fraction();
    }
  }
  field.refresh_faces(slot, 0, 0);
}

/// Applies the kernel and the formula to the same block; they must agree in every bit.
template <class Field, class Kernel>
void expect_same(const Shape& shape, Kernel&& kernel, const Average& average) {
  Field field(shape);
  Field old(shape);
  const int slot = field.acquire();
  (void)old.acquire();
  fill_all(field, slot);
  fill_all(old, slot);
  Workspace workspace;
  kernel(field, slot, workspace);
  for (int i = 1; i <= shape.nx(); ++i) {
    for (int j = 1; j <= shape.ny(); ++j) {
      for (int k = 1; k <= shape.nz(); ++k) {
        const auto u = [&](int di, int dj, int dk) { return old.at(slot, 0, i + di, j + dj, k + dk); };
        ASSERT_EQ(field.at(slot, 0, i, j, k), average(u)) << i << ' ' << j << ' ' << k;
      }
    }
  }
}

TEST(Stencil7, EqualsItsFormulaBitForBit) {
  for (const Shape& shape : {Shape{{16, 16, 16}, 1}, Shape{{2, 4, 6}, 1}}) {
    expect_same<ContiguousField>(
        shape, [](auto& f, int s, auto& w) { stencil_7<0>(f, s, 0, {f.ghost_planes(s, 0)}, {}, w); },
        average_7);
    expect_same<SegregatedField>(
        shape, [](auto& f, int s, auto& w) { stencil_7<0>(f, s, 0, {f.ghost_planes(s, 0)}, {}, w); },
        average_7);
  }
}

TEST(Stencil7, IsTheSameWithACompileTimeRowLength) {
  expect_same<ContiguousField>(
      {{4, 4, 16}, 1}, [](auto& f, int s, auto& w) { stencil_7<16>(f, s, 0, {f.ghost_planes(s, 0)}, {}, w); },
      average_7);
  expect_same<ContiguousField>(
      {{4, 4, 8}, 1}, [](auto& f, int s, auto& w) { stencil_7<8>(f, s, 0, {f.ghost_planes(s, 0)}, {}, w); },
      average_7);
  expect_same<SegregatedField>(
      {{4, 4, 10}, 1}, [](auto& f, int s, auto& w) { stencil_7<10>(f, s, 0, {f.ghost_planes(s, 0)}, {}, w); },
      average_7);
}

TEST(Stencil27, EqualsItsFormulaBitForBit) {
  for (const Shape& shape : {Shape{{8, 8, 8}, 1}, Shape{{6, 4, 2}, 1}}) {
    expect_same<ContiguousField>(
        shape, [](auto& f, int s, auto& w) { stencil_27<0>(f, s, 0, w); }, average_27);
    expect_same<SegregatedField>(
        shape, [](auto& f, int s, auto& w) { stencil_27<0>(f, s, 0, w); }, average_27);
  }
}

TEST(BlockSums, AgreeBetweenLayoutsAndWithTheFullSums) {
  const Shape shape{{6, 4, 10}, 1};
  ContiguousField a(shape);
  SegregatedField b(shape);
  fill_all(a, a.acquire());
  fill_all(b, b.acquire());
  const Extent cube{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(block_sum(a, 0, 0), block_sum(b, 0, 0));
  EXPECT_EQ(block_sums(a, 0, 0, cube).sum, block_sum(a, 0, 0));
  EXPECT_EQ(block_sums(a, 0, 0, cube).moment, block_sums(b, 0, 0, cube).moment);
}

TEST(BlockSums, TheMomentOfAConstantIsItsSumTimesTheCentre) {
  const Shape shape{{4, 4, 4}, 1};
  ContiguousField field(shape);
  const int slot = field.acquire();
  for (int i = 1; i <= 4; ++i) {
    for (int j = 1; j <= 4; ++j) {
      for (int k = 1; k <= 4; ++k) field.at(slot, 0, i, j, k) = 2.0;
    }
  }
  const BlockSums sums = block_sums(field, slot, 0, {{0, 0, 0}, {1, 0.5, 0.25}});
  EXPECT_EQ(sums.sum, 128.0);
  EXPECT_EQ(sums.sumsq, 256.0);
  EXPECT_DOUBLE_EQ(sums.moment, 128.0 * (0.5 + 2 * 0.25 + 3 * 0.125));
}

// Both kernels write the planes of the next generation, and leave those that others read.
TEST(Stencil, WritesItsOuterPlanesAsFacesOfTheNextGeneration) {
  for (const bool by_rows : {false, true}) {
    constexpr Shape shape{{4, 6, 8}, 2};
    ContiguousField field(shape, Halo::faces);
    const int slot = field.acquire();
    RandomStream stream;
    fill_initial_values(field, slot, stream);
    const auto before = [&](int n) { return field.face(slot, 1, n, 0); };
    Surroundings around{{}, 1};
    for (int n = 0; n < 6; ++n) around.planes[n] = before(n);
    const std::vector<double> first(before(2), before(2) + shape.nx() * shape.nz());
    Workspace workspace;
    if (by_rows)
      stencil_7_rows<1>(field, slot, 1, around, workspace);
    else
      stencil_7<0>(field, slot, 1, around, {}, workspace);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), before(2)));
    for (int axis = 0; axis < 3; ++axis) {
      for (int side = 0; side < 2; ++side) {
        const DensePlane plane = field.inner_plane(slot, 1, axis, side, nullptr, 1);
        const int at = side == 0 ? 1 : shape.cells[axis];
        for (int a = 1; a <= shape.cells[axis == 0 ? 1 : 0]; ++a) {
          for (int b = 1; b <= shape.cells[axis == 2 ? 1 : 2]; ++b) {
            const double cell = axis == 0   ? field.at(slot, 1, at, a, b)
                                : axis == 1 ? field.at(slot, 1, a, at, b)
                                            : field.at(slot, 1, a, b, at);
            EXPECT_EQ(plane.row(a)[b - 1], cell) << by_rows << axis << side << a << b;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::amr
