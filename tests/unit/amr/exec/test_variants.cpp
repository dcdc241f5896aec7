#include "amr/exec/variants.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <vector>

namespace heddle::amr {
namespace {

Settings small_run(int stencil, int code) {
  Settings s;
  s.cells = {4, 6, 8};
  s.num_refine = 2;
  s.block_change = 2;
  s.max_blocks = 2000;
  s.num_vars = 9;
  s.comm_vars = stencil == 0 ? 9 : 4;
  s.stencil = stencil;
  s.code = code;
  s.permute = stencil == 27;
  s.num_tsteps = 2;
  s.stages_per_ts = 7;
  s.checksum_freq = 3;
  s.error_tol = stencil == 7 ? 8 : -20;  // the other two do not conserve: record, do not fail
  s.refine_freq = 1;
  s.results = "wanted";  // moments too; nothing is written by the engine itself
  Object o;
  o.type = 2;
  o.centre = {0.1, 0.2, 0.15};
  o.move = {0.1, 0.08, 0.09};
  o.size = {0.3, 0.25, 0.28};
  s.objects = {o};
  return s;
}

RunRecord run_on(const Variant& variant, const Settings& settings, int threads) {
  omp_set_num_threads(threads);
  Watcher nobody;
  exchange::SerialCommunicator alone;
  return run(variant, settings, nobody, alone);
}

void expect_identical(const RunRecord& a, const RunRecord& b, std::string_view name, int threads) {
  ASSERT_EQ(a.checks.size(), b.checks.size()) << name;
  for (std::size_t n = 0; n < a.checks.size(); ++n) {
    ASSERT_EQ(a.checks[n].sum, b.checks[n].sum) << name << ' ' << threads << " check " << n;
    ASSERT_EQ(a.checks[n].sumsq, b.checks[n].sumsq) << name << ' ' << threads << " check " << n;
    ASSERT_EQ(a.checks[n].moment, b.checks[n].moment) << name << ' ' << threads << " check " << n;
  }
  for (std::size_t n = 0; n < a.refinements.size(); ++n) {
    EXPECT_EQ(a.refinements[n].mesh_fingerprint, b.refinements[n].mesh_fingerprint) << name;
  }
  EXPECT_EQ(a.counters.operations.total(), b.counters.operations.total()) << name;
}

class AllVariants : public ::testing::TestWithParam<std::pair<int, int>> {};

TEST_P(AllVariants, GiveTheSameBitsOnAnyNumberOfThreads) {
  const auto [stencil, code] = GetParam();
  Settings settings = small_run(stencil, code);
  const RunRecord serial = run_on(*find_variant("serial"), settings, 1);
  ASSERT_FALSE(serial.failed);
  ASSERT_EQ(serial.checks.size(), 6U);
  for (const Variant& variant : variants()) {
    const bool has_tasks = variant.name.starts_with("task");
    for (const int threads : {1, 2, 5}) {
      for (const int task_vars : has_tasks ? std::vector{0, 3} : std::vector{0}) {
        settings.task_vars = task_vars;
        expect_identical(serial, run_on(variant, settings, threads), variant.name, threads);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(StencilAndCode, AllVariants,
                         ::testing::Values(std::pair{7, 0}, std::pair{7, 1}, std::pair{27, 0},
                                           std::pair{27, 2}, std::pair{0, 0}, std::pair{0, 1}));

// Which intervals have one record, and how often each is replayed, depends on all of these. (On runtimes
// without taskgraphs nothing is recorded.)
TEST(Variants, RecordedTasksServeEveryIntervalOfTheirShape) {
  for (const int stencil : {0, 7, 27}) {
    Settings settings = small_run(stencil, 0);
    settings.error_tol = -20;
    settings.num_tsteps = 3;
    settings.refine_freq = 2;
    for (const bool permute : {false, true}) {
      for (const int checksum_freq : {0, 1, 2, 3, 8}) {
        for (const int comm_vars : {4, 9}) {
          settings.permute = permute ? 1 : 0;
          settings.checksum_freq = checksum_freq;
          settings.comm_vars = stencil == 0 ? settings.num_vars : comm_vars;
          const RunRecord serial = run_on(*find_variant("serial"), settings, 1);
          expect_identical(serial, run_on(*find_variant("task-graph"), settings, 2), "task-graph", 2);
        }
      }
    }
  }
}

TEST(Variants, AFailedCheckEndsTheRunInEveryVariant) {
  Settings settings = small_run(27, 1);
  settings.error_tol = 8;
  for (const Variant& variant : variants()) {
    const RunRecord record = run_on(variant, settings, 2);
    EXPECT_TRUE(record.failed) << variant.name;
    EXPECT_EQ(record.mismatch_messages.size(), 1U) << variant.name;
  }
}

TEST(Variants, TheTableFindsEachByItsName) {
  for (const Variant& variant : variants()) EXPECT_EQ(find_variant(variant.name), &variant);
  EXPECT_EQ(find_variant("none"), nullptr);
}

}  // namespace
}  // namespace heddle::amr
