// The application's queue, and the tickets of what stands in it.
#include "wave/exec/held_patches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "tests/support/seed.hpp"
#include "wave/exec/ticket.hpp"

namespace heddle::wave {
namespace {

TEST(HeldPatches, OnesOwnNewestComesFirstThenTheOldestOfAnother) {
  HeldPatches held(QueueKind::local, 2);
  for (const int patch : {1, 2, 3}) EXPECT_TRUE(held.put(patch, 0, 100));
  EXPECT_EQ(held.take(0), 3);
  EXPECT_EQ(held.take(1), 1);
  EXPECT_EQ(held.take(1), 2);
  EXPECT_EQ(held.take(1), -1);
}

TEST(HeldPatches, BatchesAreOfOneQueueAndNoSmallerThanAskedFor) {
  HeldPatches held(QueueKind::local, 2);
  for (const int patch : {1, 2, 3}) EXPECT_TRUE(held.put(patch, 0, 100));
  EXPECT_TRUE(held.put(4, 1, 100));
  std::vector<int> batch;
  held.take_batch(1, 2, 2, batch);
  EXPECT_EQ(batch, (std::vector{1, 2}));
  held.take_batch(1, 2, 2, batch);
  EXPECT_TRUE(batch.empty());
  held.take_batch(0, 1, 5, batch);
  EXPECT_EQ(batch, (std::vector{3}));
}

TEST(HeldPatches, NoMoreAreHeldThanTheLimit) {
  HeldPatches held(QueueKind::central, 4);
  EXPECT_TRUE(held.put(1, 0, 2));
  EXPECT_TRUE(held.put(2, 3, 2));
  EXPECT_FALSE(held.put(3, 1, 2));
  EXPECT_EQ(held.take(2), 2);
  EXPECT_TRUE(held.put(3, 1, 2));
}

TEST(HeldPatches, EachIsTakenOnceByWhoever) {
  for (const QueueKind kind : {QueueKind::central, QueueKind::local}) {
    constexpr int kThreads = 4, kEach = 5000;
    HeldPatches held(kind, kThreads);
    std::vector<std::vector<int>> taken(kThreads);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        std::vector<int> batch;
        for (int n = 0; n < kEach; ++n) {
          EXPECT_TRUE(held.put(t * kEach + n, t, kThreads * kEach));
          if (n % 3 == 0) {
            held.take_batch(t, 1, 4, batch);
            taken[static_cast<std::size_t>(t)].insert(taken[static_cast<std::size_t>(t)].end(), batch.begin(),
                                                      batch.end());
          }
        }
        for (int patch = held.take(t); patch >= 0; patch = held.take(t))
          taken[static_cast<std::size_t>(t)].push_back(patch);
      });
    }
    for (std::thread& thread : threads) thread.join();
    std::vector<int> all;
    for (const auto& some : taken) all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    std::vector<int> expected(kThreads * kEach);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
  }
}

TEST(Ticket, ALateClaimOfAnEarlierStepFails) {
  Ticket ticket;
  EXPECT_FALSE(ticket.claim(0));
  ticket.open(0);
  EXPECT_TRUE(ticket.claim(0));
  EXPECT_FALSE(ticket.claim(0));
  EXPECT_EQ(ticket.finish(0), 0U);
  EXPECT_TRUE(ticket.is_done(0));
  ticket.open(1);
  EXPECT_FALSE(ticket.is_done(1));
  EXPECT_FALSE(ticket.claim(0));
  EXPECT_TRUE(ticket.claim(1));
}

TEST(Ticket, AWaiterIsToldOnceOrFindsItDone) {
  Ticket ticket;
  ticket.open(3);
  EXPECT_TRUE(ticket.claim(3));
  EXPECT_TRUE(ticket.wait_by(3, 42));
  EXPECT_EQ(ticket.finish(3), 42U);
  EXPECT_TRUE(ticket.is_done(3));
  EXPECT_FALSE(ticket.wait_by(3, 43));
}

// Two who would compute it, and one who waits: one computes, what it wrote is seen, and the waiter is either
// told or finds it done.
TEST(Ticket, UnderThreadsOneComputesAndTheWaiterIsNeverLeft) {
  SeededRandom random;
  constexpr int kSteps = 3000;
  Ticket ticket;
  std::atomic<int> opened{-1}, ended{0}, claims{0};
  std::atomic<std::uint64_t> told{0};
  int outcome = -1;
  const auto spin = [](std::uint32_t turns) {
    for (std::atomic<std::uint32_t> n{0}; n < turns; ++n) {
    }
  };
  const auto compute = [&](std::uint32_t seed) {
    std::mt19937 own(seed);
    for (int step = 0; step < kSteps; ++step) {
      while (opened.load() < step) std::this_thread::yield();
      spin(own() % 64);
      if (ticket.claim(step)) {
        claims.fetch_add(1);
        outcome = step;
        if (const std::uint64_t event = ticket.finish(step); event != 0) told.store(event);
      }
      ended.fetch_add(1);
    }
  };
  std::thread first(compute, random()), second(compute, random());
  for (int step = 0; step < kSteps; ++step) {
    told.store(0);
    ticket.open(step);
    opened.store(step);
    spin(random() % 64);
    while (!ticket.is_done(step)) {
      // wait_by() asks for a claimed ticket; the test for an open one is the caller's, by claiming it.
      if (claims.load() <= step) {
        std::this_thread::yield();
        continue;
      }
      if (ticket.wait_by(step, static_cast<std::uint64_t>(step) + 1)) {
        while (told.load() != static_cast<std::uint64_t>(step) + 1) std::this_thread::yield();
        break;
      }
    }
    ASSERT_TRUE(ticket.is_done(step));
    ASSERT_EQ(outcome, step);
    while (ended.load() < 2 * (step + 1)) std::this_thread::yield();
  }
  first.join();
  second.join();
  EXPECT_EQ(claims.load(), kSteps);
}

}  // namespace
}  // namespace heddle::wave
