// libheddle's rules: its own ready set, and its own policy of where new tasks go (runtime/sched).
#pragma once

#include <vector>

#include "runtime/sched/home_table.hpp"
#include "runtime/sched/lengths.hpp"
#include "runtime/sched/ready_set.hpp"
#include "simulate/engine/costs.hpp"
#include "simulate/engine/data_homes.hpp"
#include "simulate/engine/runtime_rules.hpp"

namespace heddle::simulate {

class HeddleRules final : public RuntimeRules {
 public:
  HeddleRules(const Costs& costs, const DataHomes& homes);

  bool needs_no_table(const Creator& creator) override;
  Place place(const Creator& creator, bool was_entered) override;
  Next published(const Creator& creator) override;
  [[nodiscard]] bool hands_out_ranges() const override { return true; }
  bool has_queued(const SimulatedWorker& worker) override { return ready_.holds(worker.number, 1); }
  [[nodiscard]] bool has_background() const override { return true; }
  [[nodiscard]] int home_of(const Task& task) const override;
  bool post(int worker, Task& task) override { return task.priority == 0 && ready_.post(worker, task); }
  void begins(const SimulatedWorker& worker, const Task& task) override;
  void ends(const SimulatedWorker& worker, std::int64_t length) override;
  double push(const SimulatedWorker& worker, Task& task) override;
  void push_undeferred(Task& task) override { ready_.push_overflow(task); }
  Found take(const SimulatedWorker& worker, StartRule rule, int team_size, Reach reach) override;
  [[nodiscard]] bool may_take(const SimulatedWorker& /*worker*/, const Task& task,
                              StartRule rule) const override {
    return may_start(task, rule);
  }
  [[nodiscard]] bool takes_successors() const override { return true; }

 private:
  const Costs costs_;
  ReadySet ready_;
  Homes homes_;
  std::vector<TaskLengthVote> lengths_;  // by worker
};

}  // namespace heddle::simulate
