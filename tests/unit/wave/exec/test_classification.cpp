// Which patches are enclaves, on meshes drawn by hand.
#include "wave/exec/classification.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/wave/exec/cases.hpp"
#include "wave/flux/advection.hpp"

namespace heddle::wave {
namespace {

/// A plane of `roots` x `roots` patches; refined is split once.
template <int R>
std::unique_ptr<Simulation<Advection<2>, 2, R>> plane(int roots, bool is_periodic, bool splits_the_middle) {
  Problem<Advection<2>, 2> problem;
  problem.is_periodic.fill(is_periodic);
  problem.initial = [](const Position<2>&) { return State<Advection<2>>{1.0}; };
  MeshSettings<2> mesh;
  mesh.roots = {roots, roots};
  mesh.volumes = 3;
  mesh.deepest_level = splits_the_middle ? 1 : 0;
  const Criterion<2> middle = [](const Position<2>& low, const Position<2>& high, int, double, double) {
    const bool has_it = low[0] < 0.5 && 0.5 < high[0] && low[1] < 0.5 && 0.5 < high[1];
    return has_it ? mesh::Mark::refine : mesh::Mark::stay;
  };
  return std::make_unique<Simulation<Advection<2>, 2, R>>(problem, mesh, 1, alone(), middle);
}

/// The patches' reasons as a picture: rows from top to bottom, of level 0 alone.
template <int R>
std::vector<std::string> picture(const Simulation<Advection<2>, 2, R>& simulation,
                                 const std::vector<int>& begins, int roots) {
  const auto reasons = classify(simulation.graph(), begins);
  std::vector<std::string> rows(static_cast<std::size_t>(roots),
                                std::string(static_cast<std::size_t>(roots), ' '));
  for (int patch = 0; patch < simulation.patches(); ++patch) {
    const auto id = simulation.tree().id(patch);
    if (id.level == 0)
      rows[static_cast<std::size_t>(roots - 1 - id.position[1])][static_cast<std::size_t>(id.position[0])] =
          static_cast<char>('0' + reasons[static_cast<std::size_t>(patch)]);
  }
  return rows;
}

TEST(Classification, PatchesAtTheDomainsBoundaryAreSkeleton) {
  const auto simulation = plane<3>(5, false, false);
  EXPECT_EQ(picture<3>(*simulation, {0, 25}, 5),
            (std::vector<std::string>{"11111", "10001", "10001", "10001", "11111"}));
}

TEST(Classification, APeriodicDomainHasNoBoundary) {
  const auto simulation = plane<3>(5, true, false);
  EXPECT_EQ(picture<3>(*simulation, {0, 25}, 5), (std::vector<std::string>(5, "00000")));
}

// Peano's curve goes through the roots row by row here, to and fro: the first partition is the lower rows.
TEST(Classification, PatchesAtPartitionsAreSkeletonOnBothSides) {
  const auto simulation = plane<3>(5, false, false);
  EXPECT_EQ(picture<3>(*simulation, {0, 10, 25}, 5),
            (std::vector<std::string>{"11111", "10001", "32223", "32223", "11111"}));
  // Where they end within a row, one patch has neighbours of another partition on two sides.
  EXPECT_EQ(picture<3>(*simulation, {0, 12, 25}, 5),
            (std::vector<std::string>{"11111", "32001", "32223", "10223", "11111"}));
}

TEST(Classification, PatchesAtHangingFacesAreSkeleton) {
  const auto simulation = plane<3>(5, true, true);
  ASSERT_EQ(simulation->patches(), 24 + 9);
  EXPECT_EQ(picture<3>(*simulation, {0, 33}, 5),
            (std::vector<std::string>{"00000", "00400", "04 40", "00400", "00000"}));
  // Of the nine fine ones the middle one alone touches no coarse patch.
  const auto reasons = classify(simulation->graph(), {0, 33});
  int enclaves = 0;
  for (int patch = 0; patch < simulation->patches(); ++patch) {
    const auto id = simulation->tree().id(patch);
    if (id.level == 1) enclaves += reasons[static_cast<std::size_t>(patch)] == 0 ? 1 : 0;
  }
  EXPECT_EQ(enclaves, 1);
}

// The paper counts 58,564 = 242 squared for one partition; see docs/papers/3-schulz2021.md for why faces give
// more.
TEST(Classification, OnePartitionOfAPeriodicMeshIsAllEnclaves) {
  const auto simulation = plane<3>(9, true, false);
  const auto reasons = classify(simulation->graph(), {0, 81});
  EXPECT_EQ(std::count(reasons.begin(), reasons.end(), 0), 81);
}

TEST(Classification, EmptyPartitionsChangeNothing) {
  const auto simulation = plane<3>(5, true, false);
  EXPECT_EQ(classify(simulation->graph(), {0, 0, 25, 25}), classify(simulation->graph(), {0, 25}));
}

}  // namespace
}  // namespace heddle::wave
