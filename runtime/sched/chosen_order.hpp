// The ready tasks of a team where their order is chosen (OrderPolicy) or logged (OrderLog): in
// place of the team's ReadySet.
//
// A process has one ChosenOrder, a team has a TeamOrder on it, and no team has one where the order is the
// runtime's own. One lock guards everything: what counts here is that an order can be repeated, not speed.
//
// Invariant: a ready task stands in the pool of its team once, with the rank it got when it came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sched/ready_count.hpp"
#include "sched/start_rule.hpp"
#include "sync/futex_lock.hpp"
#include "sys/backtrace.hpp"
#include "task/task.hpp"

namespace heddle {

// Which ready task comes next where the order is not the runtime's own but chosen: by a seed, to bring to
// light what depends on the order; by a list, to repeat an order; or as in a program without tasks.
//
// Words
//   point   a scheduling point at which the executing task can go on: it has created a task, or yields
//   item    what has a place in an order: the start of a task ("1:0.4"), its next part where it is untied
//           ("1:0.4+1"), or that a task goes on behind one of its points ("1:0~7")
//   rank    of a ready task: the lowest that may start is the next
//   serial  every task is executed as soon as it is ready, as if the directives were not there; of several,
//           as those of a taskgraph, the one that was created first
//
// Invariant: what a policy answers follows from what it was made of and the questions it was asked before,
// never from time, threads or addresses. With one thread the whole execution therefore follows from the seed.

/// What the environment asks for.
struct OrderChoice {
  enum class Kind : std::uint8_t { kNatural, kFuzz, kReplay };
  Kind kind = Kind::kNatural;
  std::uint64_t seed = 0;
  std::string file;  // of a replay
};

/// The items of an order as a log holds them (sched/chosen_order.hpp). Errors: none where it cannot be read.
std::optional<std::vector<std::string>> read_order(const std::string& file);

class OrderPolicy {
 public:
  static OrderPolicy serial() { return OrderPolicy(Kind::kSerial); }
  static OrderPolicy fuzz(std::uint64_t seed);
  /// Items that are not in the list come after all others, and are then executed serially.
  static OrderPolicy replay(const std::vector<std::string>& items);

  /// Whether the items asked for have to be named; where not, their names may be empty.
  bool knows_names() const { return kind_ == Kind::kReplay; }

  /// The rank of a task that becomes ready. created: which of the process's tasks it was when it was created.
  std::uint64_t rank(std::string_view item, std::uint64_t created);

  /// At a point: whether the ready task of the lowest rank runs before the executing task goes on, which is
  /// the item `going_on`. has_company: other threads execute tasks as well.
  bool runs_first(std::uint64_t lowest_rank, std::string_view going_on, bool has_company);

  /// How long a thread is to hesitate, among several: mostly not at all.
  std::uint32_t delay_us();

 private:
  enum class Kind : std::uint8_t { kSerial, kFuzz, kReplay };
  explicit OrderPolicy(Kind kind) : kind_(kind) {}

  std::uint64_t random();
  bool happens_once_in(std::uint64_t times) { return random() % times == 0; }
  std::uint64_t place_of(std::string_view item) const;

  Kind kind_;
  std::uint64_t state_ = 0;       // of the generator
  std::uint64_t goes_on_in_ = 1;  // one of so many times a ready task runs at a point; 0: never
  std::uint64_t unlisted_ = 0;    // tasks so far that are not in the list
  std::unordered_map<std::string, std::uint64_t> places_;
};

/// The order in which tasks were executed, written to a file as it happens: a program that crashes or hangs
/// leaves what it did until then.
///
/// Lines, after the first, which is "heddle order 1":
///   c N ADDRESS SYMBOL FILE   code N: where the compiler put a task's body, as an address within its file
///   s ITEM N THREAD [!]       a task starts, or an untied one's next part; !: by its creator, at its
///   creation u NAME N THREAD           an undeferred task starts; it has no choice g ITEM THREAD [NAME] a
///   task goes on behind one of its points: the creation of the task of that name e NAME THREAD             a
///   task's body has ended
/// ITEM and NAME: see below and TaskNames; THREAD is the member's number in its team.
///
/// Threads: the caller's lock guards it, and so makes the order of the lines one that was.
class OrderLog {
 public:
  /// Errors: a warning where the file cannot be written; then nothing is.
  explicit OrderLog(const std::string& file);
  ~OrderLog();
  OrderLog(const OrderLog&) = delete;
  OrderLog& operator=(const OrderLog&) = delete;

  void starts(const std::string& item, const void* code, int thread, bool is_at_creation);
  void starts_undeferred(const std::string& name, const void* code, int thread);
  /// created: empty at other points.
  void goes_on(const std::string& item, int thread, const std::string& created);
  void ends(const std::string& name, int thread);

 private:
  std::FILE* file_;
  CodeNumbers codes_;
};

/// Names of tasks that do not depend on the schedule: the same task has the same name in every run of a
/// program that creates the same tasks.
///
/// A name is the way to the task from its region: "1:0.17.3" is the fourth task that was created by the
/// eighteenth task of member 0 of the first region. Regions are counted by the task that opens them; those
/// that a task other than the program's first opens have its name before theirs, as in "1:0.17/1:2.0". "0:N"
/// is what thread N of the program executes outside all regions.
///
/// Kept apart from the tasks, by address: nothing of this costs a byte where names are not asked for.
/// Threads: the caller's lock guards it.
struct NamedTask {
  std::string name = "?";
  const void* code = nullptr;
  std::uint64_t number = 0;  // counts the tasks of the process as they were created, from 1 on
  std::uint32_t children = 0;
  std::uint32_t regions = 0;
  std::uint32_t points = 0;       // that it has come to
  std::uint32_t parts = 0;        // that have begun, of an untied task
  const Task* newborn = nullptr;  // the child that it has created, while it stands at the point behind that
};

class TaskNames {
 public:
  /// What is known of a task; a blank where it was never named.
  NamedTask& of(const Task& task) { return tasks_[&task]; }

  void name_implicit(const Task& task, const std::string& name) { tasks_[&task] = NamedTask{name}; }
  void name_child(const Task& task, const void* code);

  /// What the members of a region that `task` opens begin their names with.
  std::string name_region(const Task& task);

  /// Items of an order (OrderPolicy): the task's next part, and its going on behind the present point.
  std::string start_of(const Task& task);
  std::string going_on_of(const Task& task);
  /// The child at whose creation the task stands; empty at other points.
  std::string newborn_of(const Task& task);

 private:
  std::uint64_t named_ = 0;
  std::unordered_map<const Task*, NamedTask> tasks_;  // an address is named anew with each task that gets it
};

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
  /// Ordering: what happened before is visible to the thread that takes the task. Sequentially consistent:
  ///           before a following look for sleepers.
  /// Cost:     grows with the logarithm of the tasks that are ready, and with the task's depth.
  void make_ready(Task& task);
  /// The next task that may be started by `rule`, or nullptr.
  Task* take(StartRule rule);
  /// The same at a point of `current`, where nullptr means that it goes on. is_deep: it has to.
  Task* take_at_point(const Task& current, StartRule rule, int member, bool has_company, bool is_deep);
  /// Waits for so long as the order says, where the region has several members: mostly not at all.
  void hesitate(int members);

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
  // What descends from a task, so that a thread that waits in it does not look through all there is. An elder
  // that is gone may have left entries of tasks that were started out of turn: the thread that takes one
  // drops it.
  std::unordered_map<const Task*, std::set<Rank>> by_elder_;
  std::size_t with_more_elders_ = 0;  // tasks in the pool; while there are any, by_elder_ is not complete
  ReadyCount<> count_;                // of ready_: threads that wait for tasks leave the lock alone
};

}  // namespace heddle
