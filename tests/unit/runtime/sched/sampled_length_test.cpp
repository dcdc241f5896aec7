#include "sched/lengths.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace heddle {
namespace {

TEST(SampledLength, EstimatesByTheSamplesSinceItLastAnswered) {
  SampledLength lengths(10);
  EXPECT_EQ(lengths.estimate(), INT64_MAX);
  lengths.add(300, 3);
  lengths.add(100, 1);
  EXPECT_EQ(lengths.estimate(), 1000);
  EXPECT_EQ(lengths.estimate(), INT64_MAX);
}

TEST(SampledLength, FewSamplesOfManyPiecesSayNothingYet) {
  SampledLength lengths(1000);
  for (int i = 0; i < 15; ++i) lengths.add(7, 1);
  EXPECT_EQ(lengths.estimate(), INT64_MAX);
  lengths.add(7, 1);
  EXPECT_EQ(lengths.estimate(), 7000);
  lengths.add(500, 250);
  EXPECT_EQ(lengths.estimate(), 2000) << "a quarter is enough, however few samples it is";
}

TEST(SampledLength, FewPiecesAreAllSamples) {
  const SampledLength lengths(63);
  for (std::uint32_t i = 0; i < 63; ++i) EXPECT_TRUE(lengths.is_sample(i));
}

// Also of works that repeat themselves after any number of pieces.
TEST(SampledLength, SamplesAreSpreadAndChangeFromRoundToRound) {
  constexpr std::uint32_t kPieces = 1 << 13, kRounds = 1024, kInRound = 32;
  SampledLength lengths(kPieces);
  for (const std::uint32_t period : {1u, 2u, 7u, 64u, 100u, 256u}) {
    std::vector<int> by_phase(period, 0);
    std::uint32_t first = UINT32_MAX, changes = 0;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      lengths.begin_round();
      std::uint32_t first_now = UINT32_MAX;
      for (std::uint32_t i = 0; i < kPieces; ++i) {
        if (!lengths.is_sample(i)) continue;
        ++by_phase[i % period];
        first_now = std::min(first_now, i);
      }
      changes += first_now != first ? 1 : 0;
      first = first_now;
    }
    const int fair = static_cast<int>(kInRound * kRounds / period);
    for (const int samples : by_phase) {
      EXPECT_GE(samples, fair / 2) << period;
      EXPECT_LE(samples, 2 * fair) << period;
    }
    EXPECT_GE(changes, kRounds / 2);
  }
}

}  // namespace
}  // namespace heddle
