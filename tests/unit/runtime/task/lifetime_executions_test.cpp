// Every execution of the threads that count what a task waits for, and what keeps its memory, under the C++
// memory model: one learns that it was the last, and all that the others did is there then.
#include "task/lifetime.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "support/executions.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;

constexpr int kWaiter = 3;
constexpr std::size_t kMost = 3;

struct Shared {
  std::unique_ptr<WaitCount<ExploredAtomic>> count = std::make_unique<WaitCount<ExploredAtomic>>();
  Lifetime<ExploredAtomic> lifetime;
  std::array<ExploredData<int>, kMost> done;  // by each child
  std::array<ExploredData<int>, kMost> uses;  // of the task's memory, by each thread
  ExploredAtomic<int> woken{0};
  std::array<int, kMost> freed{};

  // A thread that frees the memory comes behind all uses.
  void free(std::size_t who) {
    for (auto& use : uses) use.set(-1);
    ++freed[who];
  }
  int times_freed() const { return freed[0] + freed[1] + freed[2]; }
  void expect_done(std::size_t children) {
    for (std::size_t i = 0; i < children; ++i)
      Explorer::check(done[i].get() == 1, "what the child did is there");
  }
  void wake(int who) {
    if (who == kWaiter) woken.store(1, std::memory_order_release);
  }
  void sleep() {
    woken.await([](int is_woken) { return is_woken == 1; }, std::memory_order_acquire);
  }
};

// -- WaitCount: a taskgroup on the stack of the thread that waits for its end.

std::function<Explorer::Scenario()> a_group_ends(std::size_t tasks, bool sleeps) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    shared->count->add(static_cast<std::uint32_t>(tasks));
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      Shared& s = *shared;
      if (sleeps) {
        if (s.count->begin_wait(kWaiter)) s.sleep();
        Explorer::check(s.count->is_zero(), "all are complete");
        s.count->end_wait(kWaiter);
      } else if (!s.count->is_zero()) {
        return;
      }
      s.expect_done(tasks);
      s.count.reset();
    });
    for (std::size_t i = 0; i < tasks; ++i)
      scenario.threads.emplace_back([=] {
        shared->done[i].set(1);
        shared->wake(shared->count->done());
      });
    return scenario;
  };
}

// A thread that has left its place waits: what it did before is there for the one that resumes it, and the
// other way round.
Explorer::Scenario a_waiter_is_told() {
  auto shared = std::make_shared<Shared>();
  shared->count->add();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->uses[0].set(1);  // where it has left its thread
                        if (shared->count->begin_wait(kWaiter)) shared->sleep();
                        shared->expect_done(1);
                      },
                      [=] {
                        shared->done[0].set(1);
                        if (shared->count->done() != kWaiter) return;
                        Explorer::check(shared->uses[0].get() == 1, "what the waiter did is there");
                        shared->wake(kWaiter);
                      }};
  return scenario;
}

// -- Lifetime: children that other threads complete.

enum class Asks { kWhetherComplete, kWhetherWaitedComplete, kToSleep, kToLeave };

std::function<Explorer::Scenario()> children_end(std::size_t children, Asks asks) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    const auto out = static_cast<std::int32_t>(children);
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      Shared& s = *shared;
      if (asks == Asks::kWhetherComplete) {
        if (!s.lifetime.children_complete(out)) return;
      } else {
        s.uses[0].set(1);  // where it has left its thread
        const bool is_told = s.lifetime.begin_child_wait(out, kWaiter);
        if (asks >= Asks::kToSleep && is_told) s.sleep();
        const bool is_over = asks == Asks::kToLeave || s.lifetime.waited_children_complete();
        if (asks == Asks::kToSleep) Explorer::check(is_over, "all are complete");
        s.lifetime.end_child_wait(out, kWaiter);
        if (!is_over) return;
      }
      s.expect_done(children);
    });
    for (std::size_t i = 0; i < children; ++i)
      scenario.threads.emplace_back([=] {
        shared->done[i].set(1);
        int wake = 0;
        Explorer::check(!shared->lifetime.children_completed(1, &wake), "the body still runs");
        if (wake == kWaiter) Explorer::check(shared->uses[0].get() == 1, "what the waiter did is there");
        shared->wake(wake);
      });
    return scenario;
  };
}

// The body returns while other threads complete children, and still refer to the task.
std::function<Explorer::Scenario()> a_task_ends(std::size_t children, bool has_reference) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    const auto out = static_cast<std::int32_t>(children);
    if (has_reference) shared->lifetime.add_reference();
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      Shared& s = *shared;
      s.uses[0].set(1);
      if (s.lifetime.completed(out)) s.free(0);
    });
    for (std::size_t i = 0; i < children; ++i)
      scenario.threads.emplace_back([=] {
        Shared& s = *shared;
        s.uses[i + 1].set(1);
        int wake = 0;
        if (s.lifetime.children_completed(1, &wake)) s.free(i + 1);
        Explorer::check(wake == Lifetime<>::kNobody, "nobody waits");
      });
    if (has_reference)
      scenario.threads.emplace_back([=] {
        shared->uses[2].set(1);
        if (shared->lifetime.drop_reference()) shared->free(2);
      });
    scenario.at_end = [=] { Explorer::check(shared->times_freed() == 1, "the last one frees it"); };
    return scenario;
  };
}

// A complete child has children that go on, and keeps the task for them.
Explorer::Scenario a_task_is_retained() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
                        shared->uses[0].set(1);
                        if (shared->lifetime.completed(1)) shared->free(0);
                      },
                      [=] {
                        Shared& s = *shared;
                        s.uses[1].set(1);
                        s.lifetime.retain();
                        int wake = 0;
                        if (s.lifetime.children_completed(1, &wake)) s.free(1);
                        s.woken.store(1, std::memory_order_release);  // as the child's own lifetime orders it
                      },
                      [=] {
                        // After its parent has retained the task, as the grandchild is its child.
                        shared->sleep();
                        shared->uses[2].set(1);
                        if (shared->lifetime.drop_retained()) shared->free(2);
                      }};
  scenario.at_end = [=] { Explorer::check(shared->times_freed() == 1, "the last one frees it"); };
  return scenario;
}

// A thread that sees that nothing of a task goes on uses its memory again.
enum class Sees { kInitial, kBecomesInitial, kNoDescendants };

std::function<Explorer::Scenario()> nothing_goes_on(Sees sees) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    // Either the owner has created the child, or another thread.
    const std::int32_t out = sees == Sees::kInitial ? 0 : 1;
    if (out == 0) shared->lifetime.child_created();
    Explorer::Scenario scenario;
    scenario.threads = {
        [=] {
          Shared& s = *shared;
          s.uses[0].set(1);
          const bool is_over = sees == Sees::kInitial          ? s.lifetime.is_initial()
                               : sees == Sees::kBecomesInitial ? s.lifetime.become_initial(out)
                                                               : !s.lifetime.has_incomplete_descendants(out);
          if (is_over) s.free(0);
        },
        [=] {
          shared->uses[1].set(1);
          int wake = 0;
          Explorer::check(!shared->lifetime.children_completed(1, &wake), "the task is there");
        }};
    return scenario;
  };
}

TEST(WaitCountExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed({"task/lifetime.hpp"},
                                    {{"a look whether a group has ended", a_group_ends(1, false)},
                                     {"a group of two ends", a_group_ends(2, false)},
                                     {"a sleeper waits for a group", a_group_ends(2, true)},
                                     {"a waiter is told", a_waiter_is_told}});
}

// The owner lets the count of children that others have completed start again while they go on.
Explorer::Scenario the_count_starts_again() {
  auto shared = std::make_shared<Shared>();
  Explorer::Scenario scenario;
  scenario.threads.emplace_back([=] {
    std::int32_t out = 2;
    const std::int32_t completed = shared->lifetime.completed_by_others();
    shared->lifetime.rebase(completed);
    out -= completed;
    if (!shared->lifetime.children_complete(out)) return;
    shared->expect_done(2);
  });
  for (std::size_t i = 0; i < 2; ++i)
    scenario.threads.emplace_back([=] {
      shared->done[i].set(1);
      int wake = 0;
      Explorer::check(!shared->lifetime.children_completed(1, &wake), "the body still runs");
    });
  return scenario;
}

// So many children retain a task that it stays for good.
Explorer::Scenario too_many_retain_it() {
  auto shared = std::make_shared<Shared>();
  int retained = 0;
  while (shared->lifetime.retain()) ++retained;
  Explorer::Scenario scenario;
  scenario.threads = {[=] {
    Explorer::check(!shared->lifetime.is_complete(), "its body runs");
    Explorer::check(!shared->lifetime.completed(0), "it stays");
    Explorer::check(shared->lifetime.is_complete(), "its body has ended");
    Explorer::check(shared->lifetime.has_incomplete_descendants(0), "it has descendants for good");
  }};
  scenario.at_end = [=] { Explorer::check(retained > 100'000, "that takes many"); };
  return scenario;
}

TEST(LifetimeExecutions, EachOrderIsNeeded) {
  test::expect_each_order_is_needed(
      {"task/lifetime.hpp"},
      {{"a look at children", children_end(1, Asks::kWhetherComplete)},
       {"a look at children that are waited for", children_end(1, Asks::kWhetherWaitedComplete)},
       {"two children are waited for", children_end(2, Asks::kToSleep)},
       {"a thread leaves for its children", children_end(2, Asks::kToLeave)},
       {"a task ends with its child", a_task_ends(1, false)},
       {"a task ends with its children", a_task_ends(2, false)},
       {"a task ends with a reference", a_task_ends(1, true)},
       {"a task is retained", a_task_is_retained},
       {"a plain task", nothing_goes_on(Sees::kInitial)},
       {"a task becomes plain", nothing_goes_on(Sees::kBecomesInitial)},
       {"a task without descendants", nothing_goes_on(Sees::kNoDescendants)},
       {"the count starts again", the_count_starts_again},
       {"too many retain it", too_many_retain_it}});
}

}  // namespace
}  // namespace heddle
