#include "amr/halo/exchange.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/field/segregated.hpp"
#include "amr/halo/around.hpp"
#include "amr/halo/face_counts.hpp"

namespace heddle::amr {
namespace {

constexpr Shape kShape{{4, 4, 4}, 1};

/// Two roots side by side along x, the left one split: every kind of face.
BlockTree mixed_tree() {
  BlockTree tree(Geometry({2, 1, 1}, 1));
  tree.apply({{tree.find({0, {0, 0, 0}})}, {}});
  return tree;
}

BlockStore store_of(const BlockTree& tree) {
  BlockStore store;
  for (int n = 0; n < tree.size(); ++n) store.put(tree.leaf(n).number, n);
  return store;
}

template <class Field>
struct Mesh {
  BlockTree tree = mixed_tree();
  BlockStore store = store_of(tree);
  Field field{kShape};
  TransferPlan plan{Part(tree, 0), store};
  std::vector<double> scratch = std::vector<double>(64);

  Mesh() {
    for (int n = 0; n < tree.size(); ++n) (void)field.acquire();
    for (int n = 0; n < tree.size(); ++n) {
      const Leaf leaf = tree.leaf(n);
      for (int i = 1; i <= 4; ++i) {
        for (int j = 1; j <= 4; ++j) {
          for (int k = 1; k <= 4; ++k)
            field.at(slot(leaf.id), 0, i, j, k) = 1.0 + leaf.number + 0.01 * (16 * i + 4 * j + k);
        }
      }
      field.refresh_faces(slot(leaf.id), 0, 0);
    }
  }
  void exchange(const HaloRule& rule) {
    for (int axis = 0; axis < kAxes; ++axis) {
      for (int leaf = 0; leaf < tree.size(); ++leaf) {
        fill_ghosts(field, plan, leaf, axis, 0, 1, rule, {scratch.data(), scratch.data() + 32});
      }
    }
  }
  [[nodiscard]] int slot(const BlockId& id) const { return store.slot(tree.geometry().number(id)); }
};

TEST(Exchange, FineGhostsAreAQuarterOfTheCoarseCell) {
  Mesh<ContiguousField> m;
  m.exchange({0, false});
  const int fine = m.slot({1, {1, 1, 0}});  // upper half along y, lower along z
  const int coarse = m.slot({0, {1, 0, 0}});
  EXPECT_EQ(m.field.at(fine, 0, 5, 3, 2), m.field.at(coarse, 0, 1, 4, 1) / 4.0);
}

TEST(Exchange, CoarseGhostsAddFourFineCells) {
  Mesh<ContiguousField> m;
  m.exchange({0, false});
  const int fine = m.slot({1, {1, 0, 1}});
  const int coarse = m.slot({0, {1, 0, 0}});
  EXPECT_EQ(m.field.at(coarse, 0, 0, 2, 3), m.field.at(fine, 0, 4, 3, 1) + m.field.at(fine, 0, 4, 3, 2) +
                                                m.field.at(fine, 0, 4, 4, 1) + m.field.at(fine, 0, 4, 4, 2));
}

TEST(Exchange, BoundaryGhostsRepeatTheInnerPlane) {
  Mesh<ContiguousField> m;
  m.exchange({0, false});
  const int coarse = m.slot({0, {1, 0, 0}});
  EXPECT_EQ(m.field.at(coarse, 0, 5, 2, 3), m.field.at(coarse, 0, 4, 2, 3));
  EXPECT_EQ(m.field.at(coarse, 0, 3, 2, 0), m.field.at(coarse, 0, 3, 2, 1));
}

TEST(Exchange, Code0OfTheSevenPointStencilLeavesEdgesAlone) {
  Mesh<ContiguousField> m;
  m.exchange({0, false});
  for (int n = 0; n < m.tree.size(); ++n) EXPECT_EQ(m.field.at(m.slot(m.tree.id(n)), 0, 0, 0, 2), 0.0);
}

TEST(Exchange, BothLayoutsFillTheSameGhostsUnderEveryRule) {
  for (const HaloRule rule : {HaloRule{0, false}, HaloRule{0, true}, HaloRule{1, false}, HaloRule{2, true}}) {
    Mesh<ContiguousField> a;
    Mesh<SegregatedField> b;
    for (int repeat = 0; repeat < 2; ++repeat) {
      a.exchange(rule);
      b.exchange(rule);
    }
    for (int n = 0; n < a.tree.size(); ++n) {
      const Leaf leaf = a.tree.leaf(n);
      for (int i = 0; i <= 5; ++i) {
        for (int j = 0; j <= 5; ++j) {
          for (int k = 0; k <= 5; ++k) {
            ASSERT_EQ(a.field.at(a.slot(leaf.id), 0, i, j, k), b.field.at(b.slot(leaf.id), 0, i, j, k))
                << rule.code << i << j << k;
          }
        }
      }
    }
  }
}

// A mesh's values in a field with faces: what stencils read around its blocks is what ghosts would hold.
TEST(Around, HasWhatGhostsWouldHold) {
  Mesh<ContiguousField> ghosts;
  ghosts.exchange({0, false});
  for (const int generation : {0, 1}) {
    ContiguousField faces(kShape, Halo::faces);
    for (int n = 0; n < ghosts.tree.size(); ++n) {
      const int slot = faces.acquire();
      for (int i = 1; i <= 4; ++i) {
        for (int j = 1; j <= 4; ++j)
          std::copy_n(ghosts.field.row(slot, 0, i, j), 4, faces.row(slot, 0, i, j));
      }
      faces.refresh_faces(slot, 0, generation);
    }
    for (int leaf = 0; leaf < ghosts.plan.leaves(); ++leaf) {
      const auto expected = ghosts.field.ghost_planes(ghosts.plan.slot(leaf), 0);
      const auto found = Around(faces, ghosts.plan, generation).planes(leaf, 0);
      for (std::size_t face = 0; face < found.size(); ++face) {
        for (int cell = 0; cell < 16; ++cell)
          EXPECT_EQ(found[face][cell], expected[face][cell]) << "leaf " << leaf << " face " << face;
      }
    }
  }
}

TEST(Exchange, WholePlanesAreAllDefinedUnderCode1) {
  Mesh<ContiguousField> m;
  m.exchange({1, true});
  for (int n = 0; n < m.tree.size(); ++n) {
    const Leaf leaf = m.tree.leaf(n);
    for (int i = 0; i <= 5; ++i) {
      for (int j = 0; j <= 5; ++j) {
        for (int k = 0; k <= 5; ++k) EXPECT_GT(m.field.at(m.slot(leaf.id), 0, i, j, k), 0.0);
      }
    }
  }
}

TEST(FaceCounts, CountEverySideOfEveryFace) {
  const BlockTree tree = mixed_tree();
  const auto counts = count_faces(TransferPlan(Part(tree, 0), store_of(tree)));
  EXPECT_EQ(counts[0].different, 8);  // four quarters, each seen from both sides
  EXPECT_EQ(counts[0].same, 8);
  EXPECT_EQ(counts[0].boundary, 5);
}

TEST(AxisOrder, RotatesOnlyWithPermute) {
  EXPECT_EQ(axis_order(false, 5), (std::array{0, 1, 2}));
  EXPECT_EQ(axis_order(true, 1), (std::array{1, 2, 0}));
  EXPECT_EQ(axis_order(true, 11), (std::array{2, 1, 0}));
}

}  // namespace
}  // namespace heddle::amr
