#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/field/segregated.hpp"

namespace heddle::amr {
namespace {

template <class Field>
class Layout : public ::testing::Test {};
using Layouts = ::testing::Types<ContiguousField, SegregatedField>;
TYPED_TEST_SUITE(Layout, Layouts);

constexpr Shape kShape{{4, 6, 2}, 3};

/// A value that names its cell.
double name_of(int v, int i, int j, int k) {
  return 1000.0 * v + 100 * i + 10 * j + k;
}

template <class Field>
void fill(Field& field, int slot) {
  for (int v = 0; v < kShape.num_vars; ++v) {
    for (int i = 0; i <= 5; ++i) {
      for (int j = 0; j <= 7; ++j) {
        for (int k = 0; k <= 3; ++k) field.at(slot, v, i, j, k) = name_of(v, i, j, k);
      }
    }
    field.refresh_faces(slot, v, 0);
  }
}

TYPED_TEST(Layout, EveryCellHasItsOwnHome) {
  TypeParam field(kShape);
  const int slot = field.acquire();
  std::set<const double*> homes;
  for (int v = 0; v < kShape.num_vars; ++v) {
    for (int i = 0; i <= 5; ++i) {
      for (int j = 0; j <= 7; ++j) {
        for (int k = 0; k <= 3; ++k) EXPECT_TRUE(homes.insert(&field.at(slot, v, i, j, k)).second);
      }
    }
  }
}

TYPED_TEST(Layout, RowsAndInnerPlanesShowTheCellsThatAtShows) {
  TypeParam field(kShape);
  const int slot = field.acquire();
  fill(field, slot);
  std::array<double, 64> scratch{};
  EXPECT_EQ(field.row(slot, 1, 2, 3)[1], name_of(1, 2, 3, 2));
  EXPECT_EQ(field.inner_plane(slot, 2, 0, 1, scratch.data(), 0).row(5)[1], name_of(2, 4, 5, 2));
  EXPECT_EQ(field.inner_plane(slot, 2, 1, 0, scratch.data(), 0).row(3)[0], name_of(2, 3, 1, 1));
  EXPECT_EQ(field.inner_plane(slot, 2, 2, 1, scratch.data(), 0).row(3)[4], name_of(2, 3, 5, 2));
}

// Tasks of one mesh may go on while another one is adopted.
TEST(Planes, AreTheirFacesUntilTheNextMeshButOne) {
  ContiguousField field(kShape, Halo::faces);
  const int a = field.acquire(), b = field.acquire();
  using Faces = std::vector<std::array<int, 2>>;
  const auto plane = [&](int slot) { return field.ghost_plane(slot, 0, 0, 1, nullptr).first; };
  field.hold_planes(Faces{{a, 1}});
  const double* const first = plane(a);
  field.hold_planes(Faces{{a, 1}, {b, 1}});
  EXPECT_EQ(plane(a), first) << "a face that had planes keeps them";
  EXPECT_NE(plane(b), first);
  field.hold_planes(Faces{{b, 1}});
  EXPECT_EQ(plane(a), first) << "tasks of the mesh before may read them";
  const int c = field.acquire();
  field.hold_planes(Faces{{b, 1}, {c, 1}});
  EXPECT_EQ(plane(c), first) << "they are used again";
  EXPECT_EQ(plane(a), nullptr);
}

TYPED_TEST(Layout, WritingAGhostPlaneShowsInAt) {
  TypeParam field(kShape);
  const int slot = field.acquire();
  std::array<double, 64> scratch{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto plane = field.ghost_plane(slot, 0, axis, 1, scratch.data());
    for (int a = 1; a <= kShape.cells[axis == 0 ? 1 : 0]; ++a) {
      for (int b = 1; b <= kShape.cells[axis == 2 ? 1 : 2]; ++b) plane.row(a)[b - 1] = 10 * a + b + 0.5;
    }
    field.finish_ghost_plane(slot, 0, axis, 1, plane);
  }
  EXPECT_EQ(field.at(slot, 0, 5, 3, 2), 32.5);
  EXPECT_EQ(field.at(slot, 0, 4, 7, 1), 41.5);
  EXPECT_EQ(field.at(slot, 0, 2, 6, 3), 26.5);
}

TYPED_TEST(Layout, ALoadedPlaneWithEdgesIsThePlane) {
  TypeParam field(kShape);
  const int slot = field.acquire();
  fill(field, slot);
  const int pitch = padded_pitch(kShape.nz());
  std::vector<double> buffer(8 * pitch, -1.0);
  for (int i = 0; i <= 5; ++i) {
    field.template load_plane<true, 0>(slot, 1, i, field.ghost_planes(slot, 1), buffer.data(), pitch);
    for (int j = 0; j <= 7; ++j) {
      for (int k = 0; k <= 3; ++k)
        EXPECT_EQ(buffer[j * pitch + kRowLead - 1 + k], name_of(1, i, j, k)) << i << j << k;
    }
  }
}

TYPED_TEST(Layout, AReusedSlotHasZeroGhosts) {
  TypeParam field(kShape);
  const int slot = field.acquire();
  fill(field, slot);
  field.release(slot);
  ASSERT_EQ(field.acquire(), slot);
  EXPECT_EQ(field.at(slot, 2, 0, 0, 0), 0.0);
  EXPECT_EQ(field.at(slot, 1, 5, 3, 2), 0.0);
  EXPECT_EQ(field.at(slot, 0, 2, 7, 3), 0.0);
}

}  // namespace
}  // namespace heddle::amr
