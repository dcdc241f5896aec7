#include "support/explore.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace heddle::test {
namespace {

constexpr std::size_t kStackBytes = 64 * 1024;

struct Coroutine {
  ucontext_t context;
  std::unique_ptr<char[]> stack{new char[kStackBytes]};
  std::function<void()> body;
  std::function<bool()> may_continue;  // empty: it can run
  bool has_ended = false;

  bool can_run() const { return !has_ended && (!may_continue || may_continue()); }
};

struct Choice {
  std::vector<std::size_t> options;
  std::size_t taken = 0;
};

// One exploration at a time; coroutines find it here.
struct Run {
  ucontext_t scheduler;
  std::vector<Coroutine> threads;
  Coroutine* current = nullptr;
};
Run* g_run = nullptr;

void enter() {
  g_run->current->body();
  g_run->current->has_ended = true;
  swapcontext(&g_run->current->context, &g_run->scheduler);
}

// Apart from run_schedule, since getcontext() returns twice in the compiler's eyes.
void prepare(Coroutine& thread) {
  getcontext(&thread.context);
  thread.context.uc_stack.ss_sp = thread.stack.get();
  thread.context.uc_stack.ss_size = kStackBytes;
  thread.context.uc_link = nullptr;
  makecontext(&thread.context, enter, 0);
}

// Runs one schedule: follows `choices`, then always takes the first option and notes the others.
bool run_schedule(Explorer::Scenario scenario, std::vector<Choice>& choices, int preemptions) {
  Run run;
  run.threads = std::vector<Coroutine>(scenario.threads.size());
  g_run = &run;
  for (std::size_t i = 0; i < run.threads.size(); ++i) {
    run.threads[i].body = std::move(scenario.threads[i]);
    prepare(run.threads[i]);
  }
  std::size_t depth = 0, last = run.threads.size();
  bool is_stuck = false;
  for (;;) {
    std::vector<std::size_t> options;
    const bool last_can_run = last < run.threads.size() && run.threads[last].can_run();
    if (last_can_run) options.push_back(last);
    if (!last_can_run || preemptions > 0)
      for (std::size_t i = 0; i < run.threads.size(); ++i)
        if (i != last && run.threads[i].can_run()) options.push_back(i);
    if (options.empty()) {
      is_stuck = std::any_of(run.threads.begin(), run.threads.end(),
                             [](const Coroutine& t) { return !t.has_ended; });
      break;
    }
    std::size_t next = options.front();
    if (options.size() > 1) {
      if (depth == choices.size()) choices.push_back({options, 0});
      next = choices[depth].options[choices[depth].taken];
      ++depth;
    }
    if (last_can_run && next != last) --preemptions;
    last = next;
    run.current = &run.threads[next];
    run.current->may_continue = nullptr;
    swapcontext(&run.scheduler, &run.current->context);
  }
  g_run = nullptr;
  if (!is_stuck && scenario.at_end) scenario.at_end();
  return is_stuck;
}

}  // namespace

Explorer::Result Explorer::run(const std::function<Scenario()>& make, int preemptions, std::uint64_t most) {
  Result result;
  std::vector<Choice> choices;
  while (result.schedules < most) {
    result.deadlocks += run_schedule(make(), choices, preemptions) ? 1 : 0;
    ++result.schedules;
    while (!choices.empty() && choices.back().taken + 1 == choices.back().options.size()) choices.pop_back();
    if (choices.empty()) {
      result.is_complete = true;
      break;
    }
    ++choices.back().taken;
  }
  return result;
}

void Explorer::yield() {
  if (g_run == nullptr) return;  // set-up and final checks
  swapcontext(&g_run->current->context, &g_run->scheduler);
}

void Explorer::block(std::function<bool()> may_continue) {
  g_run->current->may_continue = std::move(may_continue);
  yield();
}

void expect_every_schedule_ends(const Explorer::Result& result) {
  EXPECT_TRUE(result.is_complete);
  EXPECT_EQ(result.deadlocks, 0u);
  ::testing::Test::RecordProperty("schedules", static_cast<int>(result.schedules));
}

}  // namespace heddle::test
