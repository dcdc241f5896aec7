#include "loop/workshare.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <tuple>
#include <vector>

#include "region/fork_join.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

// Every schedule hands out every iteration exactly once, in rising order per thread.
class WorkshareTest
    : public ::testing::TestWithParam<std::tuple<ScheduleKind, std::uint64_t, std::uint64_t, int>> {};

TEST_P(WorkshareTest, EveryIterationIsHandedOutOnce) {
  const auto [kind, chunk, trip, threads] = GetParam();
  struct Shared {
    Schedule schedule;
    std::uint64_t trip;
    std::vector<std::atomic<int>> hits;
    std::atomic<int> last_seen{0};
    std::atomic<bool> is_rising{true};
  } shared{{kind, chunk}, trip, std::vector<std::atomic<int>>(trip)};
  parallel(
      threads,
      [](Member& me, void* argument) {
        auto& s = *static_cast<Shared*>(argument);
        for (int repeat = 0; repeat < 20;
             ++repeat) {  // more loops than the ring has slots, no barrier between
          loop_enter(me, s.schedule, s.trip);
          IterationRange range;
          std::uint64_t next = 0;
          while (loop_next(me, &range)) {
            if (range.first < next) s.is_rising = false;
            next = range.first + range.count;
            for (std::uint64_t i = range.first; i < next; ++i) s.hits[i].fetch_add(1);
            if (range.is_last) s.last_seen.fetch_add(1);
          }
          loop_leave(me);
        }
      },
      &shared);
  for (std::uint64_t i = 0; i < trip; ++i) EXPECT_EQ(shared.hits[i].load(), 20) << "iteration " << i;
  EXPECT_EQ(shared.last_seen.load(), trip == 0 ? 0 : 20);
  EXPECT_TRUE(shared.is_rising.load());
}

INSTANTIATE_TEST_SUITE_P(Schedules, WorkshareTest,
                         ::testing::Combine(::testing::Values(ScheduleKind::kStatic, ScheduleKind::kDynamic,
                                                              ScheduleKind::kGuided),
                                            ::testing::Values<std::uint64_t>(0, 1, 7),
                                            ::testing::Values<std::uint64_t>(0, 1, 5, 100),
                                            ::testing::Values(1, 3)));

TEST(StaticShare, CoversAllIterationsWithSharesThatDifferByAtMostOne) {
  for (std::uint64_t trip : {0u, 1u, 7u, 8u, 1000u})
    for (int size : {1, 3, 8, 9}) {
      std::uint64_t next = 0;
      for (int n = 0; n < size; ++n) {
        const IterationRange share = static_share(trip, n, size);
        EXPECT_EQ(share.first, next);
        EXPECT_LE(share.count, trip / static_cast<std::uint64_t>(size) + 1);
        EXPECT_EQ(share.is_last, share.count != 0 && share.first + share.count == trip);
        next += share.count;
      }
      EXPECT_EQ(next, trip);
    }
}

TEST(Workshare, ALoopOfNearly2To64IterationsDoesNotWrap) {
  struct Shared {
    std::atomic<std::uint64_t> handed_out{0};
  } shared;
  parallel(
      2,
      [](Member& me, void* argument) {
        auto& s = *static_cast<Shared*>(argument);
        loop_enter(me, {ScheduleKind::kDynamic, std::uint64_t{1} << 62}, ~std::uint64_t{0});
        IterationRange range;
        while (loop_next(me, &range)) s.handed_out.fetch_add(range.count);
        loop_leave(me);
      },
      &shared);
  EXPECT_EQ(shared.handed_out.load(), ~std::uint64_t{0});
}

}  // namespace
}  // namespace heddle
