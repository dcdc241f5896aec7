// Rules of LLVM's libomp 19: each thread has a queue of 256 tasks. It adds and takes at one end, others,
// which choose whom they ask by chance, take from the other end. What finds no room is executed at once. A
// taskloop is halved until as many tasks are left as ten times the threads, or 256.
#pragma once

#include <deque>
#include <random>
#include <vector>

#include "simulate/engine/costs.hpp"
#include "simulate/engine/runtime_rules.hpp"

namespace heddle::simulate {

class OmpRules final : public RuntimeRules {
 public:
  OmpRules(const Costs& costs, int workers);

  bool needs_no_table(const Creator& creator) override { return creator.team_size == 1; }
  Place place(const Creator& creator, bool was_entered) override;
  [[nodiscard]] std::size_t most_in_taskloop(int team_size) const override;
  double push(const SimulatedWorker& worker, Task& task) override;
  void push_undeferred(Task& task) override { undeferred_.push_back(&task); }
  Found take(const SimulatedWorker& worker, StartRule rule, int team_size, Reach reach) override;
  [[nodiscard]] bool may_take(const SimulatedWorker& worker, const Task& task, StartRule rule) const override;

 private:
  struct Queue {
    std::deque<Task*> tasks;
    QueueLock lock;
    int last_victim = -1;  // who had a task when asked last; -1: nobody had
  };

  // The oldest that the rule lets start, or nullptr.
  static Task* take_oldest(Queue& victim, StartRule rule);
  Task* take_undeferred(const SimulatedWorker& worker);

  const Costs costs_;
  std::vector<Queue> queues_;
  std::vector<Task*> undeferred_;
  std::minstd_rand random_;  // seeded the same each time: same input, same answer
};

}  // namespace heddle::simulate
