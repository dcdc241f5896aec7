// Every execution of a team's members at a barrier, with tasks that they create and complete there, under the
// C++ memory model: none passes before all have arrived and all tasks are complete, none waits for ever, and
// behind the barrier is all that was done before it.
#include "team/tree_barrier.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "support/executions.hpp"
#include "team/barrier_wait.hpp"
#include "team/quiescence.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;
using Barrier = TreeBarrier<ExploredAtomic, 2>;
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
  explicit Team(int size) : size(size) {
    barrier.abandon();
    for (int i = 0; i < kMost; ++i) quiescence.restart(i, 0);
  }
  const int size;                     // at most
  bool leaves_it_to_primary = false;  // to pass a barrier without tasks
  bool spins = false;                 // before it sleeps
  Barrier barrier{kMost};
  Quiescence<ExploredAtomic, 2> quiescence{kMost};
  ExploredAtomic<bool> has_tasks{false};
  std::array<TaskCounts<ExploredAtomic>, kMost> counts;
  OutsideCount<ExploredAtomic> outside;
  Sleepers sleepers;
  ExploredAtomic<bool> for_outside{false};  // the task that a thread outside the team has
  ExploredAtomic<int> ready{0};  // tasks, each of which creates so many as its number says less one
  ExploredData<int> before[kMostBarriers][kMost];  // written by each member before each barrier
  ExploredData<int> result;                        // of all tasks

  // A chain of so many tasks, each of which creates the next.
  void create(int me, int chain) {
    counts[static_cast<std::size_t>(me)].add_created(1);
    if (!has_tasks.load(std::memory_order_relaxed)) has_tasks.store(true, std::memory_order_relaxed);
    ready.store(chain, std::memory_order_release);
    if (!is_for(me, chain)) sleepers.wake_all();
  }
  // The first two members execute every second of a chain, so that there are not too many executions. A
  // member of the last region would leave a task of this one (tasking/late_member_test.cpp).
  static bool is_for(int me, int chain) { return me < 2 && chain != 0 && chain % 2 == (me + 1) % 2; }
};

// As region/barrier.cpp has it; and below, a loop around it as in tasking/task_wait.hpp, where a look for a
// task may also come behind becomes_idle().
class BarrierSite {
 public:
  using Barrier = heddle::Barrier;

  BarrierSite(Team& team, int me, int members) : team_(team), me_(me), members_(members) {}

  Barrier& barrier() const { return team_.barrier; }
  Quiescence<ExploredAtomic, 2>& quiescence() const { return team_.quiescence; }
  int number() const { return me_; }
  int size() const { return members_; }
  bool has_tasks() const { return team_.has_tasks.load(std::memory_order_relaxed); }
  bool has_ready_task() const { return false; }  // which only saves looks
  std::uint64_t balance() const { return counts().created() - counts().finished(); }
  std::uint64_t finished_outside() const { return team_.outside.finished(); }
  void announce_completions() const {}
  bool leaves_it_to_primary() const { return team_.leaves_it_to_primary && me_ != 0; }
  void yield() const {}
  void wake_all() const { team_.sleepers.wake_all(); }
  bool gives_up() const { return false; }

 private:
  const TaskCounts<ExploredAtomic>& counts() const { return team_.counts[static_cast<std::size_t>(me_)]; }

  Team& team_;
  const int me_, members_;
};

bool execute_one(Team& team, int me, BarrierWait<BarrierSite>& wait) {
  int chain = team.ready.load(std::memory_order_relaxed);
  if (!Team::is_for(me, chain) ||
      !team.ready.compare_exchange_strong(chain, 0, std::memory_order_acquire, std::memory_order_relaxed))
    return false;
  wait.becomes_busy();
  team.result.set(team.result.get() + 1);
  if (chain > 1) team.create(me, chain - 1);
  team.counts[static_cast<std::size_t>(me)].add_finished(1);
  return true;
}

void arrive_and_wait(Team& team, int me, int members) {
  BarrierWait<BarrierSite> wait(BarrierSite(team, me, members));
  while (!wait()) {
    if (execute_one(team, me, wait)) continue;
    if (team.spins && wait.becomes_idle()) break;
    const int seen = team.sleepers.announce();
    if (!wait.prepare_sleep()) break;
    if (!Team::is_for(me, team.ready.load(std::memory_order_relaxed))) team.sleepers.sleep(seen);
  }
}

// Barriers in a row, and before the last of them a chain of so many tasks.
struct Variant {
  bool leaves_it_to_primary = false, spins = false;
  int creator = 0;
};
std::function<Explorer::Scenario()> scenario(int size, int barriers, int chain, Variant variant = {}) {
  return [=] {
    auto team = std::make_shared<Team>(size);
    team->leaves_it_to_primary = variant.leaves_it_to_primary;
    team->spins = variant.spins;
    Explorer::Scenario scenario;
    for (int me = 0; me < size; ++me)
      scenario.threads.emplace_back([=] {
        for (int i = 0; i < barriers; ++i) {
          team->before[i][me].set(1);
          if (me == variant.creator && chain > 0 && i == barriers - 1) team->create(me, chain);
          arrive_and_wait(*team, me, size);
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
      arrive_and_wait(*team, me, 2);
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

// A region of three members, and the next one of the first two: the third may still be in the barrier of the
// last.
Explorer::Scenario the_next_region_is_smaller() {
  auto team = std::make_shared<Team>(3);
  Explorer::Scenario scenario;
  for (int me = 0; me < 3; ++me)
    scenario.threads.emplace_back([=] {
      team->before[0][me].set(1);
      arrive_and_wait(*team, me, 3);
      for (int other = 0; other < 3; ++other)
        Explorer::check(team->before[0][other].get() == 1, "all were there");
      if (me == 2) return;
      team->before[1][me].set(1);
      arrive_and_wait(*team, me, 2);
      Explorer::check(team->before[1][1 - me].get() == 1, "both were there");
    });
  return scenario;
}

// Two members have become idle, and a third one still leaves the barrier of the last region, which had a part
// for it.
Explorer::Scenario one_leaves_the_last_region() {
  struct Shared : Team {
    Shared() : Team(3) { quiescence.is_idle(2, 0); }
    std::array<ExploredAtomic<bool>, 2> is_reached{};
  };
  auto team = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  for (int me = 0; me < 2; ++me)
    scenario.threads.emplace_back([=] {
      team->quiescence.is_idle(me, 0);
      if (team->quiescence.is_reached(me, 2, [] { return 0; }))
        team->is_reached[static_cast<std::size_t>(me)].store(true, std::memory_order_relaxed);
    });
  scenario.threads.emplace_back([=] { team->quiescence.is_busy(2); });
  scenario.at_end = [=] {
    Explorer::check(team->is_reached[0].load(std::memory_order_relaxed) ||
                        team->is_reached[1].load(std::memory_order_relaxed),
                    "one of them finds it");
  };
  return scenario;
}

// The last one of three has announced that all are there, and lets them go; the primary thread, which goes,
// opens a region of four. The fourth one is in the third one's group.
Explorer::Scenario the_next_region_is_bigger() {
  struct Shared {
    Shared() { barrier.abandon(); }
    Barrier barrier{4};
    ExploredAtomic<bool> is_open{false};
  };
  auto shared = std::make_shared<Shared>();
  auto primary = std::make_shared<Barrier::Arrival>();
  Explorer::Scenario scenario;
  scenario.threads.emplace_back([=] {
    *primary = shared->barrier.arrive(0, 3);
    shared->barrier.arrive(1, 3);
    Barrier::Arrival last = shared->barrier.arrive(2, 3);
    shared->barrier.announce(last);
    shared->is_open.store(true, std::memory_order_release);
    shared->barrier.pass(last);
  });
  scenario.threads.emplace_back([=] {
    shared->is_open.await([](bool is_open) { return is_open; }, std::memory_order_acquire);
    if (!Barrier::is_passed(*primary)) return;
    const Barrier::Arrival fourth = shared->barrier.arrive(3, 4);
    Explorer::check(!Barrier::is_passed(fourth), "the others have not come");
  });
  return scenario;
}

Explorer::Scenario a_report_sees_each_arrival() {
  auto team = std::make_shared<Team>(3);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
    for (int member = 0; member < 3; ++member) {
      const std::uint64_t before = team->barrier.progress();
      Barrier::Arrival arrival = team->barrier.arrive(member, 3);
      if (arrival.is_last) team->barrier.pass(arrival);
      Explorer::check(team->barrier.progress() != before, "there is progress");
    }
  }};
  return scenario;
}

// In the child of a fork, whose thread was in a barrier.
Explorer::Scenario a_child_goes_on_alone() {
  auto team = std::make_shared<Team>(3);
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
    const Barrier::Arrival arrival = team->barrier.arrive(0, 3);
    team->barrier.arrive(2, 3);
    Explorer::check(!Barrier::is_passed(arrival), "the second one has not come");
    team->barrier.abandon();
    Explorer::check(Barrier::is_passed(arrival), "none will come");
    const Barrier::Arrival next = team->barrier.arrive(0, 2);
    Explorer::check(!next.is_last && !Barrier::is_passed(next), "a new thread has not come to the next one");
  }};
  return scenario;
}

TEST(TreeBarrierExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"team/barrier_wait.hpp", "team/tree_barrier.hpp", "team/quiescence.hpp"},
      {{"two members", scenario(2, 1, 0)},
       {"three members", scenario(3, 1, 0)},
       {"two members, a task", scenario(2, 1, 1)},
       {"they spin", scenario(2, 1, 1, {.spins = true})},
       {"the primary thread passes", scenario(3, 1, 0, {.leaves_it_to_primary = true, .spins = true})},
       {"it does not pass a task by",
        scenario(2, 1, 1, {.leaves_it_to_primary = true, .spins = true, .creator = 1})},
       {"the next region is smaller", the_next_region_is_smaller},
       {"a task ends outside", a_task_ends_outside},
       {"one leaves the last region", one_leaves_the_last_region},
       {"the next region is bigger", the_next_region_is_bigger},
       {"a report sees each arrival", a_report_sees_each_arrival},
       {"a child goes on alone", a_child_goes_on_alone}});
}

TEST(TreeBarrierExecutions, BarriersFollowOneAnother) {
  test::expect_every_execution_is_right(Explorer::run(scenario(2, 2, 0)));
}

TEST(TreeBarrierExecutions, ATaskCreatesATask) {
  test::expect_every_execution_is_right(Explorer::run(scenario(2, 1, 2)));
}

}  // namespace
}  // namespace heddle
