#include "report/wait_report.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "replay/replay.hpp"
#include "report/report_places.hpp"
#include "report/wait_records.hpp"
#include "suspend/continuation.hpp"
#include "suspend/locks.hpp"
#include "suspend/spawned_task.hpp"
#include "sys/backtrace.hpp"
#include "sys/machine.hpp"
#include "sys/thread_question.hpp"
#include "tasking/detach.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"
#include "team/workers.hpp"

namespace heddle {

namespace {

struct Source {
  Published<DescribeWaits> describe{nullptr};  // last: a thread that sees it sees the argument
  void* argument = nullptr;
};
constexpr int kMost = 16;
constinit std::array<Source, kMost> g_tellers;
constinit RelaxedAtomic<int> g_taken{0};

using Descriptions = std::multimap<const Task*, std::string>;

void say(void* report, const void* task, const char* what) {
  static_cast<Descriptions*>(report)->emplace(static_cast<const Task*>(task), what);
}

}  // namespace

bool add_outside_waits(DescribeWaits describe, void* argument) {
  const int at = g_taken.fetch_add(1);
  if (at >= kMost) {
    g_taken.store(kMost);
    return false;
  }
  Source& source = g_tellers[static_cast<std::size_t>(at)];
  source.argument = argument;
  source.describe = describe;  // seen in outside_waits()
  return true;
}

std::multimap<const Task*, std::string> outside_waits() {
  Descriptions all;
  for (Source& source : g_tellers) {
    if (const DescribeWaits describe = source.describe.seen()) describe(source.argument, say, &all);
  }
  return all;
}

namespace {

enum class Why : std::uint8_t { kSuspended, kInPlace, kRuns, kReturned, kBlocked };

struct Waiter {
  const Task* task = nullptr;
  Why why = Why::kSuspended;
  const Suspension* suspension = nullptr;
  const WaitInPlace* wait = nullptr;
  const Member* place = nullptr;      // that waits or runs there
  std::vector<std::size_t> for_them;  // whom it waits for: indices
  std::string is_executed;            // of the thread that runs: where
};

class Report {
 public:
  explicit Report(Places places) : places_(places) {}

  std::string write() {
    outside_ = outside_waits();
    collect();
    link();
    for (Waiter& waiter : waiters_)
      if (waiter.why == Why::kRuns) waiter.is_executed = execution_of(*waiter.place);
    for (const Waiter& waiter : waiters_)
      if (waiter.why != Why::kBlocked) describe(waiter);
    for (const Team* const team : in_barrier_) describe_barrier(*team);
    describe_cycle();
    for (const auto& [task, what] : outside_) text_ += "  outstanding: " + what + "\n";
    return text_;
  }

 private:
  // -- what waits

  void add(const Waiter& waiter) {
    if (waiter.task == nullptr || index_.contains(waiter.task)) return;
    index_.emplace(waiter.task, waiters_.size());
    waiters_.push_back(waiter);
  }

  void add_suspended(Suspension& s) {
    // Without the watchdog nobody left word: look at its stack, which stands still.
    if (places_ == Places::kRaw && s.trace.is_empty())
      visit_context(s.left_at, [](void* trace) { static_cast<Trace*>(trace)->take(); }, &s.trace);
    const bool takes_turns = s.reason == WaitsFor::kTurn || s.reason == WaitsFor::kTime;
    if (!takes_turns && SpawnedTask::of(*s.context.task) == nullptr)
      add({s.context.task, Why::kSuspended, &s, nullptr, &s.member, {}, {}});
  }

  void collect() {
    visit_sleepers([this](const FiberStack&, void* s) { add_suspended(*static_cast<Suspension*>(s)); });
    for_each_place([this](const Member& place) {
      if (Suspension* const s = place.suspended.on_own_stack.seen()) add_suspended(*s);
    });
    // Members of a team in whose region its primary thread still is; the others are idle.
    for_each_place([this](const Member& place) {
      if (place.number == 0) teams_.insert(place.team);
    });
    for_each_place([this](const Member& place) {
      if (is_in_region(place)) visit_waits(place, [&](const WaitInPlace& wait) { add_wait(place, wait); });
    });
    for_each_place([this](const Member& place) {
      const bool is_innermost = place.worker != nullptr && place.worker->member == &place;
      if (is_innermost && is_in_region(place) && place.context.task != nullptr &&
          SpawnedTask::of(*place.context.task) == nullptr)
        add({place.context.task, Why::kRuns, nullptr, nullptr, &place, {}, {}});
    });
    for (const Task* const task : detached_tasks())
      add({task, Why::kReturned, nullptr, nullptr, nullptr, {}, {}});
    // What waits for those, and so on: the list grows meanwhile.
    for (std::size_t i = 0; i < waiters_.size(); ++i)
      waiters_[i].task->successors.for_each([this](const Task& successor) {
        add({&successor, Why::kBlocked, nullptr, nullptr, nullptr, {}, {}});
      });
  }

  bool is_in_region(const Member& place) const {
    return place.number < place.team_size && teams_.contains(place.team);
  }

  void add_wait(const Member& place, const WaitInPlace& wait) {
    if (wait.task != &place.implicit_task && SpawnedTask::of(*wait.task) != nullptr) return;
    if (wait.reason == WaitsFor::kBarrier) in_barrier_.insert(place.team);
    add({wait.task, Why::kInPlace, nullptr, &wait, &place, {}, {}});
  }

  // -- for whom

  template <class Is>
  void wait_for_all(std::size_t from, Is&& is) {
    for (std::size_t i = 0; i < waiters_.size(); ++i)
      if (i != from && is(*waiters_[i].task)) waiters_[from].for_them.push_back(i);
  }
  void wait_for(std::size_t from, const Task* task) {
    const auto known = index_.find(task);
    if (known != index_.end() && known->second != from) waiters_[from].for_them.push_back(known->second);
  }

  static bool is_in(const Task& task, const void* group) {
    const TaskGroup* g = (task.flags & Task::kInGroup) != 0 || task.is_implicit() ? task.group : nullptr;
    while (g != nullptr && g != group) g = g->outer;
    return g != nullptr;
  }

  static const Team* team_of(const Task& task) {
    const Task* ancestor = &task;
    while (ancestor->parent != nullptr) ancestor = ancestor->parent;
    return ancestor->is_implicit() ? implicit(*ancestor).place->team : nullptr;
  }

  bool has_reached_barrier(const Waiter& waiter) const {
    return waiter.wait != nullptr && waiter.wait->reason == WaitsFor::kBarrier;
  }

  void link_wait(std::size_t i, WaitsFor reason, const void* object) {
    const Task* const waiting = waiters_[i].task;
    switch (reason) {
      case WaitsFor::kEvent:
        return wait_for(i, static_cast<const ContinuationEvent*>(object)->task);
      case WaitsFor::kChildren:
        return wait_for_all(i, [&](const Task& task) { return task.parent == waiting; });
      case WaitsFor::kGroup:
        return wait_for_all(i, [&](const Task& task) { return is_in(task, object); });
      case WaitsFor::kPredecessors:
        return wait_for_predecessors(i, *static_cast<const Task*>(object));
      case WaitsFor::kBarrier:
        return wait_for_all(i, [&](const Task& task) {
          return team_of(task) == object && !has_reached_barrier(waiters_[index_.at(&task)]);
        });
      case WaitsFor::kLock:
        if (const LockOwner owner = owner_of(object); !owner.has_ended) wait_for(i, owner.task);
        return;
      default:
        return;
    }
  }

  static LockOwner owner_of(const void* lock) {
    for (const LockOwner& owner : lock_owners())
      if (owner.lock == lock) return owner;
    return {};
  }

  void wait_for_predecessors(std::size_t from, const Task& waiting) {
    for (std::size_t i = 0; i < waiters_.size(); ++i)
      waiters_[i].task->successors.for_each([&](const Task& successor) {
        if (&successor == &waiting && i != from) waiters_[from].for_them.push_back(i);
      });
  }

  void link() {
    for (std::size_t i = 0; i < waiters_.size(); ++i) {
      const Waiter waiter = waiters_[i];
      switch (waiter.why) {
        case Why::kSuspended:
          link_wait(i, waiter.suspension->reason, waiter.suspension->object);
          break;
        case Why::kInPlace:
          link_wait(i, waiter.wait->reason, waiter.wait->object);
          break;
        case Why::kReturned:
          wait_for(i, waiter.task->parent);  // it has the handle
          break;
        case Why::kBlocked:
          wait_for_predecessors(i, *waiter.task);
          break;
        case Why::kRuns:
          break;
      }
    }
  }

  // -- words

  std::string place_of(const void* code, bool is_return_address) const {
    return heddle::place_of(code, is_return_address, places_);
  }

  static std::string implicit_name(int level, int thread) {
    return level == 0 ? "the program outside parallel regions"
                      : "the implicit task of thread " + std::to_string(thread) + at_level(level);
  }
  static std::string at_level(int level) {
    return level > 1 ? " at nesting level " + std::to_string(level) : "";
  }

  std::string name_of(const Task& task) const {
    if (!task.is_implicit()) return "the task of " + place_of(code_of(task), false);
    const Member& place = *implicit(task).place;
    return implicit_name(place.team->level, place.number);
  }

  std::string where(const Trace& trace) const {
    const auto count = static_cast<std::size_t>(trace.count.seen());
    return places_of(std::span<void* const>(trace.frames).first(count), places_);
  }

  // A thread that left no trace is asked; a reader that has all of them stand still sees it by itself.
  std::string execution_of(const Member& place) const {
    const long thread = place.worker->native_id.load();
    if (places_ == Places::kRaw) return "{runs " + std::to_string(thread) + "}";
    if (thread == native_thread_id()) return "is being executed";
    constexpr int kFrames = 48;
    std::array<void*, kFrames> frames;
    int count = 0;
    switch (ask_thread(thread, frames, &count)) {
      case Answer::kInSystemCall:
        return "is in a system call; from where in the program cannot be seen without 'heddle attach'";
      case Answer::kNone:
        return "is being executed; where cannot be seen without 'heddle attach'";
      case Answer::kWhere:
        break;
    }
    const auto known = std::span<void* const>(frames).first(static_cast<std::size_t>(count));
    return (begins_in_libheddle(known) ? "waits" : "is being executed") + places_of(known, places_);
  }

  // Of a wait that executes tasks on top of it, or whose context was left.
  std::string where(const Waiter& waiter) const {
    const WaitInPlace& wait = *waiter.wait;
    if (places_ == Places::kRaw && wait.is_in_this_context())
      return "{at " + std::to_string(waiter.place->worker->native_id.load()) + "}";
    if (std::string here = where(wait.trace); !here.empty()) return here;
    const auto* const left = static_cast<const Suspension*>(
        wait.stack != nullptr ? wait.stack->sleeper.seen() : waiter.place->suspended.on_own_stack.seen());
    if (left != nullptr && left->context.task == wait.task) return where(left->trace);
    return {};
  }

  std::string reason(const Waiter& waiter) const {
    switch (waiter.why) {
      case Why::kReturned:
        return "has returned and waits for the event of its detach clause, which nobody has fulfilled";
      case Why::kRuns:
        return waiter.is_executed;
      case Why::kInPlace:
        return reason(waiter, waiter.wait->reason, waiter.wait->object, where(waiter));
      default:
        return reason(waiter, waiter.suspension->reason, waiter.suspension->object,
                      where(waiter.suspension->trace));
    }
  }

  std::string reason(const Waiter& waiter, WaitsFor why, const void* object, const std::string& at) const {
    const std::string waits = "waits" + at;
    switch (why) {
      case WaitsFor::kEvent: {
        const auto& event = *static_cast<const ContinuationEvent*>(object);
        return waits + " for the event asked for at " + place_of(event.made_at, true) +
               (event.task != nullptr && event.task != waiter.task ? " by another task" : "") +
               ", which nobody has fulfilled";
      }
      case WaitsFor::kChildren:
        return waits + " for its child tasks" + unseen_tasks(waiter);
      case WaitsFor::kGroup:
        return waits + " for the end of its taskgroup" + unseen_tasks(waiter);
      case WaitsFor::kPredecessors:
        return waits + " for tasks that its depend clause names" + unseen_tasks(waiter);
      case WaitsFor::kDetachEvent:
        return waits + " for the event of the detach clause of its child, which nobody has fulfilled";
      case WaitsFor::kUnblock:
        return "is blocked" + at + " by a library, which has not unblocked it";
      case WaitsFor::kEventsOfLibrary:
        return "has returned and waits for events of a library, which have not come";
      case WaitsFor::kLock:
        return waits + " for " + lock_in_words(object);
      case WaitsFor::kBarrier:
        return barrier_in_words(waiter, at);
      default:
        return waits;
    }
  }

  // Tasks that have returned and wait for their event are recorded by the watchdog alone.
  static std::string unseen_tasks(const Waiter& waiter) {
    return waiter.for_them.empty() && !has_wait_records()
               ? "; which ones cannot be seen without HEDDLE_WATCHDOG"
               : "";
  }

  static std::string barrier_in_words(const Waiter& waiter, const std::string& at) {
    if (waiter.place->team_size == 1)
      return "waits" + at + " for the tasks of its team" + unseen_tasks(waiter);
    // Where a worker waits and nothing of the program is below, the region's code is over.
    const bool is_at_end = at.empty() && waiter.place->number != 0 && !waiter.wait->trace.is_empty();
    return "waits" + at + (is_at_end ? " in the barrier at the end of its region" : " in a barrier");
  }

  std::string lock_in_words(const void* lock) const {
    const LockOwner owner = owner_of(lock);
    if (owner.lock == nullptr)
      return has_wait_records() ? "a lock taken by code that is not known"
                                : "a lock; its owner cannot be seen without HEDDLE_WATCHDOG";
    // A call at the very end of a function may leave no frame of the program.
    const std::string taken =
        "the lock taken" + (is_own_code(owner.where) ? "" : " at " + place_of(owner.where, true));
    if (owner.task == nullptr) return taken + " by a task of a library";
    const std::string name =
        owner.thread >= 0 ? implicit_name(owner.level, owner.thread) : name_of(*owner.task);
    if (owner.has_ended) return taken + " by " + name + ", which has ended without giving it back";
    const auto known = index_.find(owner.task);
    if (known == index_.end()) return taken + " by " + name;
    const bool runs = waiters_[known->second].why == Why::kRuns;
    return taken + " by " + name + ", which holds it while it " + (runs ? "is being executed" : "waits");
  }

  // -- which members are in a barrier, and which are not

  const Waiter* waiter_of(const Team& team, int number) const {
    const auto known = index_.find(&team.members[static_cast<std::size_t>(number)].implicit_task);
    return known != index_.end() ? &waiters_[known->second] : nullptr;
  }

  // What the thread of a member does instead: its innermost task's.
  const Waiter* busy_of(const Team& team, int number) const {
    const Member& place = team.members[static_cast<std::size_t>(number)];
    const auto known = index_.find(place.context.task);
    return known != index_.end() ? &waiters_[known->second] : waiter_of(team, number);
  }

  void describe_barrier(const Team& team) {
    const int size = team.members[0].team_size;
    std::vector<int> there, missing;
    for (int i = 0; i < size; ++i) {
      const Waiter* const waiter = waiter_of(team, i);
      (waiter != nullptr && has_reached_barrier(*waiter) ? there : missing).push_back(i);
    }
    if (size == 1) return;
    if (missing.empty()) {
      const std::uint64_t tasks = team.created() - team.finished();
      text_ += "  all " + std::to_string(size) + " threads of the team" + at_level(team.level) +
               " have reached the barrier";
      if (tasks != 0)
        text_ += "; tasks that are not complete keep them there: " + std::to_string(tasks) +
                 (has_wait_records()
                      ? ""
                      : "; those among them that have returned cannot be seen without HEDDLE_WATCHDOG");
      text_ += "\n";
      return;
    }
    text_ += "  of the " + std::to_string(size) + " threads of the team" + at_level(team.level) + ", " +
             in_words(there) + (there.size() == 1 ? " has" : " have") + " reached the barrier\n";
    for (const int number : missing) {
      text_ += "  thread " + std::to_string(number) + " has not reached the barrier";
      const Member& place = team.members[static_cast<std::size_t>(number)];
      if (place.worker != nullptr && place.worker->member != &place)
        text_ += ": it is in a nested parallel region";
      else if (const Waiter* const busy = busy_of(team, number))
        text_ += ": it " +
                 (busy->task->is_implicit() ? "" : "is inside " + name_of(*busy->task) + ", which ") +
                 reason(*busy);
      text_ += "\n";
    }
  }

  static std::string in_words(const std::vector<int>& numbers) {
    std::string text = numbers.size() == 1 ? "thread " : "threads ";
    for (std::size_t i = 0; i < numbers.size(); ++i)
      text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
    return text;
  }

  void describe(const Waiter& waiter) {
    text_ += "  " + name_of(*waiter.task) + " " + reason(waiter) + "\n";
    const Task& task = *waiter.task;
    const auto [first, last] = outside_.equal_range(&task);
    for (auto it = first; it != last; ++it) text_ += "    outstanding: " + it->second + "\n";
    outside_.erase(first, last);
    if (task.is_recorded() && Replay::of(task).graph().origin().where != nullptr) {
      const Graph& graph = Replay::of(task).graph();
      text_ += "    it comes from the record of the taskgraph at " + place_of(graph.origin().where, true) +
               ", graph_id " + std::to_string(graph.origin().id) +
               ": where the region's code would create other tasks by now, a graph_reset clause is missing\n";
    }
    describe_successors(task);
  }

  void describe_successors(const Task& task) {
    std::map<std::string, int> names;
    task.successors.for_each([&](const Task& successor) {
      if (!successor.is_undeferred()) ++names[name_of(successor)];
    });
    for (const auto& [name, count] : names)
      text_ += "    for it waits " + name + (count > 1 ? ", " + std::to_string(count) + " times" : "") + "\n";
  }

  // -- cycles

  bool find_cycle(std::size_t i, std::vector<char>& state, std::vector<std::size_t>& path) const {
    state[i] = 1;
    path.push_back(i);
    for (const std::size_t next : waiters_[i].for_them) {
      if (state[next] == 1) {
        path.erase(path.begin(), std::ranges::find(path, next));
        return true;
      }
      if (state[next] == 0 && find_cycle(next, state, path)) return true;
    }
    path.pop_back();
    state[i] = 2;
    return false;
  }

  bool needs_event(std::size_t i) const {
    const Waiter& waiter = waiters_[i];
    return waiter.why == Why::kReturned ||
           (waiter.why == Why::kSuspended && waiter.suspension->reason == WaitsFor::kEvent);
  }

  void describe_cycle() {
    std::vector<char> state(waiters_.size(), 0);
    for (std::size_t i = 0; i < waiters_.size(); ++i) {
      std::vector<std::size_t> path;
      if (state[i] != 0 || !find_cycle(i, state, path)) continue;
      const bool has_event = std::ranges::any_of(path, [this](std::size_t at) { return needs_event(at); });
      text_ += std::string("  they wait in a cycle") +
               (has_event ? ", unless somebody else fulfils the event: " : ": ");
      for (const std::size_t at : path) text_ += name_of(*waiters_[at].task) + " -> ";
      text_ += name_of(*waiters_[path.front()].task) + "\n";
      return;
    }
  }

  const Places places_;
  std::set<const Team*> teams_;       // whose regions go on
  std::set<const Team*> in_barrier_;  // some of whose threads have reached a barrier
  std::vector<Waiter> waiters_;
  std::map<const Task*, std::size_t> index_;
  std::multimap<const Task*, std::string> outside_;  // not said yet
  std::string text_;
};

}  // namespace

std::string report_waits(Places places) {
  return Report(places).write();
}

}  // namespace heddle
