// Every execution of a task and its successor on their whole way, under the C++ memory model: published in a
// deque, stolen, complete, its successor released, waited for by its parent, its memory freed by whoever
// comes last. The deque, the successor list, the count of predecessors and the parent's lifetime meet here.
#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "base/count_down.hpp"
#include "support/executions.hpp"
#include "sync/deque.hpp"
#include "task/lifetime.hpp"
#include "task/successor_list.hpp"
#include "task/task.hpp"

namespace heddle {
namespace {

using test::ExploredAtomic;
using test::ExploredData;
using test::Explorer;
using List = SuccessorList<ExploredAtomic>;

constexpr int kWaiter = 1;
enum Number { kFirst, kSecond, kTasks };

struct NoEdges {
  Edge& next() const { std::abort(); }
  bool has(const Edge&) const { return false; }
};

struct Shared {
  WorkStealingDeque<Task, ExploredAtomic, 2> deque{8};  // the parent's
  std::array<Task, kTasks> tasks;
  std::array<ExploredData<int>, kTasks> arguments;  // in the task's memory
  std::array<ExploredData<int>, kTasks> results;    // of its body, elsewhere
  List first_successors;
  CountDown<ExploredAtomic> second_predecessors{2};  // the first one, and its own creation
  Lifetime<ExploredAtomic> parent;
  ExploredAtomic<int> woken{0};
  std::array<int, kTasks> times_executed{}, times_freed{};

  Number number_of(const Task& task) const { return &task == &tasks[kFirst] ? kFirst : kSecond; }
  void free(Number task) {
    arguments[task].set(-1);
    ++times_freed[task];
  }

  // Returns how many tasks the calling thread has completed.
  int execute(Task& task) {
    const Number number = number_of(task);
    Explorer::check(arguments[number].get() == 1, "what its creator wrote is there");
    if (number == kSecond) Explorer::check(results[kFirst].get() == 1, "what its predecessor did is there");
    results[number].set(1);
    ++times_executed[number];
    if (number == kSecond) {
      free(kSecond);
      return 1;
    }
    const List::Closed closed = first_successors.close(List::Closing::kLeaves);
    if (closed.was_abandoned) free(kFirst);
    const bool releases = closed.directs > 0 && second_predecessors.release_one();
    return 1 + (releases ? execute(*closed.direct[0]) : 0);
  }

  void create(bool with_successor) {
    arguments[kFirst].set(1);
    deque.push(&tasks[kFirst]);
    if (with_successor) {
      arguments[kSecond].set(1);
      if (!first_successors.push(tasks[kSecond], NoEdges{})) {
        Explorer::check(results[kFirst].get() == 1, "the predecessor is complete");
        second_predecessors.reset(1);
      }
      if (second_predecessors.release_one()) deque.push(&tasks[kSecond]);
    }
    if (first_successors.abandon() == List::Abandoned::kFreed) free(kFirst);
  }

  // The parent waits for its children: those that it executed itself are not outstanding.
  void wait(std::int32_t out, int tasks_created) {
    if (parent.begin_child_wait(out, kWaiter))
      woken.await([](int is_woken) { return is_woken == 1; }, std::memory_order_acquire);
    parent.end_child_wait(out, kWaiter);
    expect_results(tasks_created);
  }
  // Whether children that others have completed are complete, where the parent has executed some itself.
  void look(std::int32_t out, int tasks_created) {
    if (parent.children_complete(out)) expect_results(tasks_created);
  }
  void expect_results(int tasks_created) {
    for (int task = 0; task < tasks_created; ++task)
      Explorer::check(results[static_cast<std::size_t>(task)].get() == 1, "what the children did is there");
  }

  void steal() {
    Task* stolen = nullptr;
    if (deque.steal(&stolen, 1) <= 0) return;
    int wake = Lifetime<>::kNobody;
    parent.children_completed(static_cast<std::uint32_t>(execute(*stolen)), &wake);
    if (wake == kWaiter) woken.store(1, std::memory_order_release);
  }
};

enum class Parent { kLooks, kExecutesOneAndLooks, kExecutesAllAndWaits };

std::function<Explorer::Scenario()> scenario(bool with_successor, int thieves, Parent parent) {
  return [=] {
    auto shared = std::make_shared<Shared>();
    const int tasks = with_successor ? 2 : 1;
    Explorer::Scenario scenario;
    scenario.threads.emplace_back([=] {
      std::int32_t out = tasks;
      shared->create(with_successor);
      const bool waits = parent == Parent::kExecutesAllAndWaits;
      while (parent != Parent::kLooks) {
        Task* const task = shared->deque.pop();
        if (task != nullptr) out -= shared->execute(*task);
        if (task == nullptr || !waits) break;
      }
      if (waits)
        shared->wait(out, tasks);
      else
        shared->look(out, tasks);
    });
    for (int thief = 0; thief < thieves; ++thief) scenario.threads.emplace_back([=] { shared->steal(); });
    scenario.at_end = [=] {
      while (Task* const task = shared->deque.pop()) shared->execute(*task);
      for (int task = 0; task < tasks; ++task) {
        const auto number = static_cast<std::size_t>(task);
        Explorer::check(shared->times_executed[number] == 1, "each is executed once");
        Explorer::check(shared->times_freed[number] == 1, "each is freed once");
      }
    };
    return scenario;
  };
}

TEST(TaskExecutions, ATask) {
  for (const Parent parent : {Parent::kLooks, Parent::kExecutesOneAndLooks, Parent::kExecutesAllAndWaits})
    test::expect_every_execution_is_right(Explorer::run(scenario(false, 2, parent)));
}
TEST(TaskExecutions, ATaskAndItsSuccessor) {
  for (const Parent parent : {Parent::kLooks, Parent::kExecutesOneAndLooks, Parent::kExecutesAllAndWaits})
    test::expect_every_execution_is_right(Explorer::run(scenario(true, 1, parent)));
}
TEST(TaskExecutions, ATaskAndItsSuccessorWithTwoThieves) {
  for (const Parent parent : {Parent::kLooks, Parent::kExecutesOneAndLooks, Parent::kExecutesAllAndWaits})
    test::expect_every_execution_is_right(Explorer::run(scenario(true, 2, parent)));
}

}  // namespace
}  // namespace heddle
