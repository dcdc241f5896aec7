// Rules of GCC's libgomp 12: ready tasks of a team are one list under one lock. Threads in a barrier take the
// oldest; who waits for children or descendants takes only those, the youngest first. A creator executes new
// tasks itself while the team has more than 64 a thread that are not complete.
#pragma once

#include <list>
#include <unordered_map>

#include "simulate/engine/costs.hpp"
#include "simulate/engine/runtime_rules.hpp"

namespace heddle::simulate {

class GompRules final : public RuntimeRules {
 public:
  explicit GompRules(const Costs& costs) : costs_(costs) {}

  [[nodiscard]] bool is_undeferred(const Creator& creator, std::size_t tasks) const override;
  double push(const SimulatedWorker& worker, Task& task) override;
  void push_undeferred(Task& task) override;
  Found take(const SimulatedWorker& worker, StartRule rule, int team_size, Reach reach) override;
  [[nodiscard]] bool may_take(const SimulatedWorker& worker, const Task& task, StartRule rule) const override;
  double complete(const SimulatedWorker& worker) override { return lock_.use(worker, costs_.lock); }

 private:
  using Tasks = std::list<Task*>;

  void insert(Task& task);
  // One of those that may be taken, or nullptr.
  Task* find(const SimulatedWorker& worker);

  const Costs costs_;
  QueueLock lock_;
  Tasks all_;                                                 // by age
  std::unordered_map<const SimulatedTask*, Tasks> children_;  // by parent and age; none is empty
  std::unordered_map<const Task*, Tasks::iterator> places_;   // in all_
};

}  // namespace heddle::simulate
