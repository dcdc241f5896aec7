// Stacks are taken, warm or cold, and given back; below each lies a page that ends the program, and who gives
// its memory back to the system keeps the address alone.
#include "fiber/stack_pool.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "support/sanitized.h"
#include "sys/memory.hpp"

namespace heddle {
namespace {

constexpr std::size_t kAskedBytes = 100'001;
constexpr int kMostWarm = 64;

// What every stack executes here: g_body, then it goes on in g_back.
thread_local FiberStack* g_stack = nullptr;
thread_local Context* g_back = nullptr;
thread_local void (*g_body)() = nullptr;

HEDDLE_CONTEXT_ENTRY void base(boost::context::detail::transfer_t arrival) {
  FiberStack& stack = *g_stack;
  begin_context(stack.base, arrival);
  g_body();
  end_context(stack.base, *g_back);
}

void run_on(FiberStack& stack, void (*body)()) {
  Context here;
  g_stack = &stack;
  g_back = &here;
  g_body = body;
  switch_context(here, stack.base);
}

class StackPoolTest : public testing::Test {
 protected:
  StackPoolTest() { set_stacks(kAskedBytes, base); }

  // From the top, as a thread that descends would; not the part that its context needs.
  static void touch_pages(const FiberStack& stack, std::size_t pages) {
    char* const top = static_cast<char*>(stack.bottom) + stack.bytes;
    for (std::size_t i = 2; i <= pages; ++i) *static_cast<volatile char*>(top - i * page_bytes()) = 1;
  }
  static StackUse use(const FiberStack& stack) { return stack_use(stack.bottom, stack.bytes); }

  static std::vector<FiberStack*> take(StackPool& pool, int count) {
    std::vector<FiberStack*> stacks;
    for (int i = 0; i < count; ++i) {
      stacks.push_back(pool.take());
      EXPECT_NE(stacks.back(), nullptr);
    }
    return stacks;
  }
};

TEST_F(StackPoolTest, AllStacksHaveTheSizeThatWasAskedForFirst) {
  const std::size_t pages = (kAskedBytes + page_bytes() - 1) / page_bytes();
  set_stacks(kAskedBytes * 100, base);
  StackPool pool;
  FiberStack* const stack = pool.take();
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(stack->bytes, pages * page_bytes());
  EXPECT_EQ(report_stacks().stack_bytes, stack->bytes);
  EXPECT_GE(report_stacks().made, 1);
  pool.give_back(*stack);
}

TEST_F(StackPoolTest, NoTwoTakenStacksOverlap) {
  StackPool pool;
  const std::vector<FiberStack*> stacks = take(pool, 200);
  std::set<const char*> bottoms;
  for (const FiberStack* stack : stacks) bottoms.insert(static_cast<const char*>(stack->bottom));
  ASSERT_EQ(bottoms.size(), stacks.size());
  const char* end = nullptr;
  for (const char* const bottom : bottoms) {
    EXPECT_TRUE(end == nullptr || bottom >= end);
    end = bottom + stacks[0]->bytes;
  }
  for (FiberStack* stack : stacks) pool.give_back(*stack);
}

int g_runs = 0;

TEST_F(StackPoolTest, WhoTakesOneGoesOnAtItsBase) {
  StackPool pool;
  g_runs = 0;
  for (int i = 0; i < 3; ++i) {  // cold at first, then warm
    FiberStack* const stack = pool.take();
    run_on(*stack, [] { ++g_runs; });
    pool.give_back(*stack);
  }
  EXPECT_EQ(g_runs, 3);
  pool.clear();
  FiberStack* const stack = pool.take();  // its context is made anew
  run_on(*stack, [] { ++g_runs; });
  EXPECT_EQ(g_runs, 4);
  pool.give_back(*stack);
}

TEST_F(StackPoolTest, WarmStacksKeepTheirPages) {
  StackPool pool;
  FiberStack* const stack = pool.take();
  char* const low = static_cast<char*>(stack->bottom) + 2 * page_bytes();
  *low = 42;
  pool.give_back(*stack);
  EXPECT_EQ(pool.take(), stack);  // the last one given back
  EXPECT_EQ(*low, 42);
  pool.give_back(*stack);
}

TEST_F(StackPoolTest, ColdStacksHaveNone) {
  StackPool pool;
  FiberStack* const stack = pool.take();
  char* const low = static_cast<char*>(stack->bottom) + 2 * page_bytes();
  *low = 42;
  EXPECT_GE(use(*stack).resident_bytes, page_bytes());
  pool.give_back(*stack);
  pool.clear();
  EXPECT_EQ(use(*stack).resident_bytes, 0u);
  EXPECT_EQ(use(*stack).depth_bytes, 0u);
  EXPECT_EQ(pool.take(), stack);  // from the store: the last one there
  EXPECT_EQ(*low, 0);
  pool.give_back(*stack);
}

TEST_F(StackPoolTest, PoolsKeepSoManyWarmAndNoMore) {
  StackPool pool;
  const std::vector<FiberStack*> stacks = take(pool, kMostWarm + 10);
  for (FiberStack* stack : stacks) {
    touch_pages(*stack, 4);
    pool.give_back(*stack);
  }
  for (std::size_t i = 0; i < stacks.size(); ++i) {
    if (i < kMostWarm)
      EXPECT_GE(use(*stacks[i]).resident_bytes, 3 * page_bytes()) << i;
    else
      EXPECT_EQ(use(*stacks[i]).resident_bytes, 0u) << i;
  }
  std::set<FiberStack*> again;
  for (FiberStack* stack : take(pool, kMostWarm + 10)) again.insert(stack);
  EXPECT_EQ(again.size(), stacks.size());
  for (FiberStack* stack : again) pool.give_back(*stack);
}

TEST_F(StackPoolTest, ColdStacksAreForAllThreads) {
  FiberStack* left = nullptr;
  std::thread([&] {
    StackPool pool;
    left = pool.take();
    pool.give_back(*left);
  }).join();  // the pool is gone with its thread
  StackPool pool;
  EXPECT_EQ(pool.take(), left);
  pool.give_back(*left);
}

TEST_F(StackPoolTest, ReportsSayHowDeepStacksWere) {
  StackPool pool;
  const std::size_t before = report_stacks().resident_bytes;
  const std::vector<FiberStack*> stacks = take(pool, 3);
  for (const FiberStack* stack : stacks)
    std::memset(static_cast<char*>(stack->bottom) + stack->bytes - 64, 0, 1);
  touch_pages(*stacks[0], 7);
  EXPECT_EQ(use(*stacks[0]).depth_bytes, 7 * page_bytes());
  EXPECT_EQ(use(*stacks[0]).resident_bytes, 7 * page_bytes());
  // One page far below counts once, and says how deep.
  *(static_cast<volatile char*>(stacks[1]->bottom) + stacks[1]->bytes - 10 * page_bytes()) = 1;
  EXPECT_EQ(use(*stacks[1]).depth_bytes, 10 * page_bytes());
  EXPECT_EQ(use(*stacks[1]).resident_bytes, 2 * page_bytes());
  const StackReport report = report_stacks();
  EXPECT_GE(report.deepest_bytes, 10 * page_bytes());
  EXPECT_GE(report.resident_bytes, before + 9 * page_bytes());
  for (FiberStack* stack : stacks) pool.give_back(*stack);
}

TEST_F(StackPoolTest, SleepersAreFoundOnTheirStacks) {
  StackPool pool;
  const std::vector<FiberStack*> stacks = take(pool, 5);
  int first = 0, second = 0;
  stacks[1]->sleeper = &first;
  stacks[4]->sleeper = &second;
  std::set<std::pair<FiberStack*, void*>> found;
  visit_sleepers([&](FiberStack& stack, void* sleeper) { found.emplace(&stack, sleeper); });
  EXPECT_EQ(found, (std::set<std::pair<FiberStack*, void*>>{{stacks[1], &first}, {stacks[4], &second}}));
  stacks[1]->sleeper = nullptr;
  stacks[4]->sleeper = nullptr;
  for (FiberStack* stack : stacks) pool.give_back(*stack);
}

// The sanitizers handle the signal themselves, and have their own say about stacks.
#ifndef IS_SANITIZED
[[gnu::noinline]] int descend(int levels) {
  volatile char frame[512];
  frame[0] = 1;
  return levels == 0 ? frame[0] : descend(levels - 1) + frame[0];
}

using StackPoolDeathTest = StackPoolTest;

TEST_F(StackPoolDeathTest, OverflowsEndTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  StackPool pool;
  FiberStack* const stack = pool.take();
  EXPECT_EXIT(run_on(*stack, [] { descend(1'000'000); }), testing::KilledBySignal(SIGSEGV), "");
  pool.give_back(*stack);
}

TEST_F(StackPoolDeathTest, EveryStackHasAGuard) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  StackPool pool;
  std::vector<FiberStack*> stacks = take(pool, 66);  // of more than one reserve
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{65}}) {
    char* const bottom = static_cast<char*>(stacks[i]->bottom);
    EXPECT_EXIT(*static_cast<volatile char*>(bottom + page_bytes() - 1) = 1, testing::KilledBySignal(SIGSEGV),
                "");
    bottom[page_bytes()] = 1;  // the first that may be touched
  }
  for (FiberStack* stack : stacks) pool.give_back(*stack);
}

// A stack that was cold in between still has its guard.
TEST_F(StackPoolDeathTest, GuardsOutliveTheMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  StackPool pool;
  FiberStack* const stack = pool.take();
  pool.give_back(*stack);
  pool.clear();
  ASSERT_EQ(pool.take(), stack);
  EXPECT_EXIT(*static_cast<volatile char*>(stack->bottom) = 1, testing::KilledBySignal(SIGSEGV), "");
  pool.give_back(*stack);
}
#endif

}  // namespace
}  // namespace heddle
