// The ready tasks of a team where their order is chosen (order_policy.hpp) or logged (order_log.hpp): in
// place of the team's ReadySet.
//
// A process has one ChosenOrder, a team has a TeamOrder on it, and no team has one where the order is the
// runtime's own. One lock guards everything: what counts here is that an order can be repeated, not speed.
//
// Invariant: a ready task stands in the pool of its team once, with the rank it got when it came.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sched/order_log.hpp"
#include "sched/order_policy.hpp"
#include "sched/start_rule.hpp"
#include "sched/task_names.hpp"
#include "sync/futex_lock.hpp"
#include "task/task.hpp"

namespace heddle {

class ChosenOrder {
 public:
  /// log_file: empty for none.
  ChosenOrder(OrderPolicy policy, const std::string& log_file);

 private:
  friend class TeamOrder;

  FutexLock lock_;
  OrderPolicy policy_;
  std::optional<OrderLog> log_;
  const bool has_names_;
  TaskNames names_;
};

class TeamOrder {
 public:
  explicit TeamOrder(ChosenOrder& whole) : whole_(whole) {}

  // -- names
  /// `encountering` opens the team's next region.
  void open_region(const Task& encountering);
  /// The implicit task of `member`. Outside all regions: of thread `member`.
  void begin_implicit(const Task& task, int member);
  /// code: where the compiler put the task's body.
  void created(const Task& task, const void* code);

  // -- choices
  /// Requires: task is ready. Ensures: ownership passes to the pool.
  /// Ordering: what happened before is visible to whoever takes the task. Sequentially consistent: before a
  ///           following look for sleepers.
  /// Cost:     grows with the logarithm of the tasks that are ready, and with the task's depth.
  void make_ready(Task& task);
  /// The next task that may be started by `rule`, or nullptr.
  Task* take(StartRule rule);
  /// The same at a point of `current`, where nullptr means that it goes on. is_deep: it has to.
  Task* take_at_point(const Task& current, StartRule rule, int member, bool has_company, bool is_deep);
  /// Whether some thread of this region found nothing by its rule: only then may a task wait for
  /// another sleeper than the one that is woken. Exact once that sleeper, awake or asleep, is known to the
  /// caller.
  bool has_constrained_looks() const { return has_constrained_looks_.load(std::memory_order_seq_cst); }
  /// How long to hesitate now.
  std::uint32_t delay_us();

  // -- the log
  void starts(const Task& task, int member);
  void starts_undeferred(const Task& task, int member);
  void ends(const Task& task, int member);

  /// In the child of a fork(): the tasks of lost threads are lost, and the log is the parent's.
  void survive_fork();

 private:
  using Rank = std::pair<std::uint64_t, std::uint64_t>;  // and arrival, among equals
  struct Ready {
    Task* task;
    std::vector<const Task*> elders;  // by which by_elder_ knows it; the nearest, where there are many
    bool has_more_elders;
  };
  using Pool = std::map<Rank, Ready>;

  Pool::iterator next_allowed(StartRule rule);
  Task* take_out(Pool::iterator at);
  std::string item_of(const Task& task);

  ChosenOrder& whole_;
  std::string region_;  // what its members' names begin with
  std::uint64_t arrivals_ = 0;
  Pool ready_;
  // What descends from a task, so that who waits in it does not look through all there is. An elder that is
  // gone may have left entries of tasks that were started out of turn: whoever takes one drops it.
  std::unordered_map<const Task*, std::set<Rank>> by_elder_;
  std::size_t with_more_elders_ = 0;  // tasks in the pool; while there are any, by_elder_ is not complete
  std::atomic<bool> has_constrained_looks_{false};
  std::atomic<std::size_t> count_{0};  // of ready_: who waits for tasks leaves the lock alone
};

}  // namespace heddle
