#include "wave/exec/models.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/unit/wave/exec/cases.hpp"

namespace heddle::wave {
namespace {

std::vector<int> sizes(const std::vector<int>& begins) {
  std::vector<int> sizes;
  for (std::size_t p = 0; p + 1 < begins.size(); ++p) sizes.push_back(begins[p + 1] - begins[p]);
  return sizes;
}

TEST(CutPatches, WellBalancedPartitionsDifferByOneAtMost) {
  EXPECT_EQ(sizes(cut_patches(10, 4, Cut::well)), (std::vector{3, 3, 2, 2}));
  EXPECT_EQ(sizes(cut_patches(2, 4, Cut::well)), (std::vector{1, 1, 0, 0}));
}

// The paper gives 59,049 patches' first of them, in a mesh with boundaries, 26,244.
TEST(CutPatches, IllBalancedPartitionsAreHalvesOfTheRest) {
  EXPECT_EQ(sizes(cut_patches(81, 4, Cut::ill)), (std::vector{41, 20, 10, 10}));
  EXPECT_EQ(sizes(cut_patches(5, 5, Cut::ill)), (std::vector{3, 1, 1, 0, 0}));
}

// On one, two and four threads, with more and fewer partitions than these. These tests may run on stock
// runtimes, which starve tasks that others poll for, so that only held patches are polled for here;
// tests/systems/waves has the other strategies.
void expect_same_bits(std::optional<Limiter> limiter) {
  const auto fingerprint = [&](Model& model) {
    auto simulation = moving_vortex_mesh<2, 3>(4, limiter);
    simulation->run(model, 10.0, 12);
    return simulation->state_fingerprint();
  };
  const std::uint64_t expected = fingerprint(*make_serial());
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(fingerprint(*make_data_flow(false)), expected) << threads << " threads";
    for (const Cut cut : {Cut::well, Cut::ill}) {
      for (const int partitions : {0, 1, 7}) {
        for (const BulkConstruct construct : {BulkConstruct::taskloop, BulkConstruct::parallel_for})
          EXPECT_EQ(fingerprint(*make_bsp(partitions, cut, construct)), expected)
              << threads << " threads, " << partitions << " partitions";
        for (const QueueKind queue : {QueueKind::central, QueueKind::local}) {
          EXPECT_EQ(fingerprint(*make_enclave(
                        {parse_strategy("hold-back"), EnclaveWait::poll, queue, partitions, cut})),
                    expected)
              << threads << " threads, " << partitions << " partitions";
        }
        EXPECT_EQ(fingerprint(*make_enclave({parse_strategy("native"), EnclaveWait::dependence,
                                             QueueKind::central, partitions, cut})),
                  expected);
      }
    }
  }
}

TEST(Models, GiveTheSameBits) {
  expect_same_bits({});
}
TEST(Models, GiveTheSameBitsWherePatchesReadFaceStates) {
  expect_same_bits(Limiter::mc);
}

// A step whose state allows none ends the run with a line, whoever executes it.
TEST(Models, EndWhereTheStateIsUnphysical) {
  Problem<Euler<2>, 2> problem;
  problem.is_periodic.fill(true);
  problem.initial = [gas = problem.equation](const Position<2>& x) {
    return gas.conserved(1.0, {x[0] < 0.5 ? -40.0 : 40.0, 0.0}, 1e-3);
  };
  MeshSettings<2> mesh;
  mesh.roots = {4, 4};
  mesh.volumes = 4;
  mesh.cfl = 3.0;  // beyond what is stable
  omp_set_num_threads(2);
  for (const auto& make : {+[] { return make_serial(); }, +[] { return make_data_flow(false); },
                           +[] { return make_bsp(0, Cut::well, BulkConstruct::taskloop); }}) {
    Simulation<Euler<2>, 2, 2> simulation(problem, mesh, 2, alone());
    EXPECT_THROW(simulation.run(*make(), 1.0, 10000), program::UserError);
    EXPECT_GT(simulation.time(), 0.0);
  }
}

}  // namespace
}  // namespace heddle::wave
