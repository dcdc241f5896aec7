#include "sched/chunk_batch.hpp"

#include <gtest/gtest.h>

#include "test_clock.hpp"

namespace heddle {
namespace {

using Batch = ChunkBatch<TestClock>;

constexpr std::uint64_t kBatchNs = limits::kBatchUs * 1000;

// Executes chunks of `each_ns` up to the next look, and looks. Returns where the range has come to.
std::uint64_t execute(Batch& batch, std::uint64_t from, std::uint64_t last, std::uint64_t each_ns) {
  const std::uint64_t stop = batch.next_look(last);
  pass_ns((stop - from) * each_ns);
  batch.look(stop);
  return stop;
}

TEST(ChunkBatch, LooksAtTheClockAfterOneChunkTwoFourUntilTheMost) {
  Batch batch(100, 1);
  std::uint64_t next = 100;
  for (std::uint64_t chunks = 1; chunks <= 4 * limits::kMostBetweenLooks; chunks *= 2) {
    const std::uint64_t expected = std::min(chunks, limits::kMostBetweenLooks);
    EXPECT_EQ(batch.next_look(100'000) - next, expected);
    next = execute(batch, next, 100'000, 10);
  }
}

TEST(ChunkBatch, LooksAtTheEndOfTheRange) {
  Batch batch(0, 1);
  std::uint64_t next = execute(batch, 0, 5, 10);
  next = execute(batch, next, 5, 10);
  EXPECT_EQ(next, 3U);
  EXPECT_EQ(batch.next_look(5), 5U);
}

TEST(ChunkBatch, IsAsManyChunksAsTheLastOnesSayFillItsTime) {
  Batch batch(0, 7);
  EXPECT_EQ(batch.size(), 7U) << "what the loop's other ranges have measured";
  std::uint64_t next = execute(batch, 0, 1000, 100);
  EXPECT_EQ(batch.size(), kBatchNs / 100);
  next = execute(batch, next, 1000, kBatchNs / 2);
  EXPECT_EQ(batch.size(), 2U) << "only the chunks since the last look count";
  execute(batch, next, 1000, 10 * kBatchNs);
  EXPECT_EQ(batch.size(), 1U);
}

TEST(ChunkBatch, AGuessCountsAllChunksAndGrowsByALimit) {
  Batch batch(0, 8);
  std::uint64_t next = execute(batch, 0, 1000, 1000);
  next = execute(batch, next, 1000, 400);
  EXPECT_EQ(batch.better_guess(), 3 * kBatchNs / 1800);
  execute(batch, next, 1000, 0);
  EXPECT_EQ(batch.better_guess(), 7 * kBatchNs / 1800);

  Batch of_short(0, 4);
  execute(of_short, 0, 1000, 1);
  EXPECT_EQ(of_short.better_guess(), limits::kMostGrowth * 4);
}

TEST(ChunkBatch, WithoutTimeOrChunksIsOneChunkOrMore) {
  Batch batch(0, 1);
  batch.look(0);
  EXPECT_EQ(batch.size(), 1U);
  EXPECT_EQ(batch.better_guess(), 1U);
  batch.look(3);
  EXPECT_EQ(batch.size(), 3 * kBatchNs) << "a clock that has not moved";
}

}  // namespace
}  // namespace heddle
