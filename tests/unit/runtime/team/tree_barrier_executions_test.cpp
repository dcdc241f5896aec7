// Every execution of a team's members at a barrier, with tasks that they create and complete there, under the
// C++ memory model: none passes before all have arrived and all tasks are complete, none waits for ever, and
// behind the barrier is all that was done before it.
#include "team/barrier_word.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;
using Word = BarrierWord<ExploredAtomic>;
using Fence = Fences<ExploredAtomic>;

constexpr int kMost = 3, kMostBarriers = 2;

// What Parking promises: between a publication and a wake-up, and between an announcement and the last look,
// is one of two fences of which either side sees what the other did before.
class Sleepers {
 public:
  int announce() {
    const int seen = changes_.load(std::memory_order_relaxed);
    Fence::heavy();
    return seen;
  }
  void sleep(int seen) {
    changes_.await([seen](int changes) { return changes != seen; }, std::memory_order_acquire);
  }
  void wake_all() {
    Fence::light();
    changes_.fetch_add(1, std::memory_order_release);
  }

 private:
  ExploredAtomic<int> changes_{0};
};

struct Team {
  explicit Team(int size) : size(size) { word.reset(); }
  const int size;
  Word word;
  ExploredAtomic<bool> has_tasks{false};
  std::array<TaskCounts<ExploredAtomic>, kMost> counts;
  OutsideCount<ExploredAtomic> outside;
  Sleepers sleepers;
  ExploredAtomic<bool> for_outside{false};  // the task that a thread outside the team has
  ExploredAtomic<int> ready{0};  // tasks, each of which creates so many as its number says less one
  ExploredData<int> before[kMostBarriers][kMost];  // written by each member before each barrier
  ExploredData<int> result;                        // of all tasks

  bool is_quiescent() const {
    std::uint64_t finished = outside.finished(), created = 0;
    for (int i = 0; i < size; ++i) finished += counts[static_cast<std::size_t>(i)].finished();
    for (int i = 0; i < size; ++i) created += counts[static_cast<std::size_t>(i)].created();
    return finished == created;
  }

  // A chain of so many tasks, each of which creates the next.
  void create(int me, int chain) {
    counts[static_cast<std::size_t>(me)].add_created(1);
    if (!has_tasks.load(std::memory_order_relaxed)) has_tasks.store(true, std::memory_order_relaxed);
    ready.store(chain, std::memory_order_release);
    sleepers.wake_all();
  }
  // The members execute every second of a chain, so that there are not too many executions.
  static bool is_for(int me, int chain) { return chain != 0 && chain % 2 == (me + 1) % 2; }
  bool execute_one(int me) {
    int chain = ready.load(std::memory_order_relaxed);
    if (!is_for(me, chain) ||
        !ready.compare_exchange_strong(chain, 0, std::memory_order_acquire, std::memory_order_relaxed))
      return false;
    result.set(result.get() + 1);
    if (chain > 1) create(me, chain - 1);
    counts[static_cast<std::size_t>(me)].add_finished(1);
    return true;
  }

  // As region/barrier.cpp has it.
  bool try_pass(const Word::Arrival& arrival) {
    const auto are_complete = [this] { return !has_tasks.load(std::memory_order_relaxed) || is_quiescent(); };
    if (!word.try_pass(arrival, size, are_complete)) return false;
    sleepers.wake_all();
    return true;
  }
  void barrier(int me) {
    const Word::Arrival arrival = word.arrive();
    const auto is_over = [&] { return word.is_passed(arrival) || try_pass(arrival); };
    while (!is_over()) {
      if (execute_one(me)) continue;
      const int seen = sleepers.announce();
      if (is_over()) break;
      if (!is_for(me, ready.load(std::memory_order_relaxed))) sleepers.sleep(seen);
    }
    Explorer::check(word.is_passed(arrival), "the barrier is passed");
    Explorer::check(word.progress() != arrival.passed + static_cast<std::uint64_t>(size),
                    "a report sees that");
  }
};

// Barriers in a row, and before the last of them a chain of so many tasks.
std::function<Explorer::Scenario()> scenario(int size, int barriers, int chain) {
  return [=] {
    auto team = std::make_shared<Team>(size);
    Explorer::Scenario scenario;
    for (int me = 0; me < size; ++me)
      scenario.threads.emplace_back([=] {
        for (int i = 0; i < barriers; ++i) {
          team->before[i][me].set(1);
          if (me == 0 && chain > 0 && i == barriers - 1) team->create(me, chain);
          team->barrier(me);
          for (int other = 0; other < size; ++other)
            Explorer::check(team->before[i][other].get() == 1, "what was done before is there");
        }
        Explorer::check(team->result.get() == chain, "the tasks are complete");
      });
    return scenario;
  };
}

// A thread outside the team completes a task that a member has created before the barrier.
Explorer::Scenario a_task_ends_outside() {
  auto team = std::make_shared<Team>(2);
  Explorer::Scenario scenario;
  for (int me = 0; me < 2; ++me)
    scenario.threads.emplace_back([=] {
      if (me == 0) {
        team->counts[0].add_created(1);
        team->has_tasks.store(true, std::memory_order_relaxed);
        team->for_outside.store(true, std::memory_order_release);
      }
      team->barrier(me);
      Explorer::check(team->result.get() == 1, "the task is complete");
    });
  scenario.threads.emplace_back([=] {
    team->for_outside.await([](bool is_there) { return is_there; }, std::memory_order_acquire);
    team->result.set(1);
    team->outside.add(1);
    team->sleepers.wake_all();
  });
  return scenario;
}

TEST(BarrierWordExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"team/barrier_word.hpp"},
                                    {{"two members", scenario(2, 1, 0)},
                                     {"three members", scenario(3, 1, 0)},
                                     {"two members, a task", scenario(2, 1, 1)},
                                     {"a task ends outside", a_task_ends_outside}});
}

TEST(BarrierWordExecutions, BarriersFollowOneAnother) {
  test::expect_every_execution_is_right(Explorer::run(scenario(2, 2, 0)));
}

TEST(BarrierWordExecutions, ATaskCreatesATask) {
  test::expect_every_execution_is_right(Explorer::run(scenario(2, 1, 2)));
}

}  // namespace
}  // namespace heddle
