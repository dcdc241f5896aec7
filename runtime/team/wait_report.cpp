#include "team/wait_report.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <vector>

#include "graph/instance.hpp"
#include "sys/backtrace.hpp"
#include "sys/code_place.hpp"
#include "team/continuation.hpp"
#include "team/spawned.hpp"
#include "team/suspension.hpp"
#include "team/watchdog.hpp"
#include "team/workers.hpp"

namespace heddle {
namespace {

struct BodyReader {
  Task::Body body;
  const void* (*code_of)(const Task&);
};
std::vector<BodyReader>& body_readers() {
  static auto* const instance = new std::vector<BodyReader>;
  return *instance;
}

enum class Why : std::uint8_t { kSuspended, kInPlace, kRuns, kReturned, kBlocked };

struct Waiter {
  const Task* task = nullptr;
  Why why = Why::kSuspended;
  const Suspension* suspension = nullptr;
  const Member* place = nullptr;      // who waits or runs there
  std::vector<std::size_t> for_them;  // whom it waits for: indices
};

class Report {
 public:
  explicit Report(Places places) : places_(places) {}

  std::string write() {
    collect();
    link();
    for (const Waiter& waiter : waiters_)
      if (waiter.why != Why::kBlocked) describe(waiter);
    describe_cycle();
    return text_;
  }

 private:
  // -- who waits

  void add(const Waiter& waiter) {
    if (waiter.task == nullptr || index_.contains(waiter.task)) return;
    index_.emplace(waiter.task, waiters_.size());
    waiters_.push_back(waiter);
  }

  void add_suspended(Suspension& s) {
    // Without the watchdog nobody left word: look at its stack, which stands still.
    if (places_ == Places::kRaw && s.trace.count.load(std::memory_order_acquire) == 0)
      visit_context(s.context, [](void* trace) { static_cast<Trace*>(trace)->take(); }, &s.trace);
    const bool takes_turns = s.reason == WaitsFor::kTurn || s.reason == WaitsFor::kTime;
    if (!takes_turns && SpawnedTask::of(*const_cast<Task*>(s.task)) == nullptr)
      add({s.task, Why::kSuspended, &s, &s.member, {}});
  }

  void collect() {
    visit_sleepers([this](const FiberStack&, void* s) { add_suspended(*static_cast<Suspension*>(s)); });
    for_each_place([this](const Member& place) {
      if (Suspension* const s = place.suspended.on_own_stack.load(std::memory_order_acquire))
        add_suspended(*s);
    });
    for_each_place([this](const Member& place) {
      const bool is_innermost = place.worker != nullptr && place.worker->member == &place;
      if (place.current == nullptr || !is_innermost) return;
      const bool has_word = place.trace.count.load(std::memory_order_acquire) != 0;
      // A reader that has the threads stand still sees by itself where they are.
      if (!has_word && places_ == Places::kRaw && place.current->is_implicit()) return;
      if (!has_word)
        add({place.current, Why::kRuns, nullptr, &place, {}});
      else if (place.waits_for_lock != nullptr || !where(place.trace).empty())  // others are idle
        add({place.current, Why::kInPlace, nullptr, &place, {}});
    });
    for (const Task* const task : noted_detached()) add({task, Why::kReturned, nullptr, nullptr, {}});
    // What waits for those, and so on: the list grows meanwhile.
    for (std::size_t i = 0; i < waiters_.size(); ++i)
      waiters_[i].task->successors.for_each(
          [this](const Task& successor) { add({&successor, Why::kBlocked, nullptr, nullptr, {}}); });
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

  void link_suspended(std::size_t i, const Suspension& s) {
    switch (s.reason) {
      case WaitsFor::kEvent:
        return wait_for(i, static_cast<const ContinuationEvent*>(s.object)->task);
      case WaitsFor::kChildren:
        return wait_for_all(i, [&](const Task& task) { return task.parent == s.task; });
      case WaitsFor::kGroup:
        return wait_for_all(i, [&](const Task& task) { return is_in(task, s.object); });
      case WaitsFor::kPredecessors:
        return wait_for_predecessors(i, *static_cast<const Task*>(s.object));
      case WaitsFor::kLock:
        for (const LockOwner& owner : noted_locks())
          if (owner.lock == s.object) wait_for(i, owner.task);
        return;
      default:
        return;
    }
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
          link_suspended(i, *waiter.suspension);
          break;
        case Why::kInPlace:
          wait_for_all(i, [&](const Task& task) { return task.parent == waiter.task; });
          break;
        case Why::kReturned:
          wait_for(i, waiter.task->parent);  // who has the handle
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
    if (code == nullptr) return "code that is not known";
    if (places_ == Places::kResolved) return line_of_code(code, is_return_address);
    const CodePlace place = place_of_code(static_cast<const char*>(code) - (is_return_address ? 1 : 0));
    std::array<char, 32> address;
    std::snprintf(address.data(), address.size(), "0x%" PRIxPTR, place.address);
    return std::string("{") + (is_return_address ? "call " : "task ") + address.data() + " " + place.file +
           "}";
  }

  static const void* code_of(const Task& task) {
    if (task.is_recorded()) return task.code;  // of a taskgraph's node
    for (const BodyReader& reader : body_readers())
      if (reader.body == task.body) return reader.code_of(task);
    return nullptr;
  }

  std::string name_of(const Task& task) const {
    if (task.is_implicit()) {
      const auto& place = *static_cast<const Member*>(task.data);
      return place.team->level == 0 ? "the program outside parallel regions"
                                    : "the implicit task of thread " + std::to_string(place.number);
    }
    return "the task of " + place_of(code_of(task), false);
  }

  // The program's own frames of a trace, the innermost first.
  std::string where(const Trace& trace) const {
    const int count = trace.count.load(std::memory_order_acquire);
    std::string text;
    int told = 0;
    for (int i = 0; i < count && told < 3; ++i) {
      void* const frame = trace.frames[static_cast<std::size_t>(i)];
      if (is_own_code(frame)) {
        if (told != 0) break;
        continue;
      }
      if (is_c_library(frame)) break;
      text += (told++ == 0 ? " at " : ", called from ") + place_of(frame, true);
    }
    return text;
  }

  std::string reason(const Waiter& waiter) const {
    if (waiter.why == Why::kReturned)
      return "has returned and waits for the event of its detach clause, which nobody has fulfilled";
    if (waiter.why == Why::kRuns) return "is being executed, or waits where libheddle cannot see it";
    if (waiter.why == Why::kInPlace) {
      if (waiter.place->waits_for_lock != nullptr)
        return lock_reason(waiter.place->waits_for_lock) + where(waiter.place->trace);
      return "waits" + where(waiter.place->trace);
    }
    const Suspension& s = *waiter.suspension;
    const std::string at = where(s.trace);
    switch (s.reason) {
      case WaitsFor::kEvent: {
        const auto& event = *static_cast<const ContinuationEvent*>(s.object);
        return "waits" + at + " for the event asked for at " + place_of(event.made_at, true) +
               (event.task != nullptr && event.task != s.task ? " by another task" : "") +
               ", which nobody has fulfilled";
      }
      case WaitsFor::kChildren:
        return "waits" + at + " for its child tasks";
      case WaitsFor::kGroup:
        return "waits" + at + " for the end of its taskgroup";
      case WaitsFor::kPredecessors:
        return "waits" + at + " for tasks that its depend clause names";
      case WaitsFor::kUnblock:
        return "is blocked" + at + " by a library, which has not unblocked it";
      case WaitsFor::kLock:
        return lock_reason(s.object) + at;
      default:
        return "waits" + at;
    }
  }

  std::string lock_reason(const void* lock) const {
    for (const LockOwner& owner : noted_locks())
      if (owner.lock == lock)
        return "waits for the lock taken at " + place_of(owner.where, true) +
               (index_.contains(owner.task)
                    ? " by " + name_of(*owner.task) + ", which holds it while it waits"
                    : "");
    return "waits for a lock (who owns it is noted with HEDDLE_WATCHDOG alone)";
  }

  void describe(const Waiter& waiter) {
    text_ += "  " + name_of(*waiter.task) + " " + reason(waiter) + "\n";
    const Task& task = *waiter.task;
    if (task.is_recorded() && GraphInstance::of(task).graph().origin().where != nullptr) {
      const Graph& graph = GraphInstance::of(task).graph();
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

  void describe_cycle() {
    std::vector<char> state(waiters_.size(), 0);
    for (std::size_t i = 0; i < waiters_.size(); ++i) {
      std::vector<std::size_t> path;
      if (state[i] != 0 || !find_cycle(i, state, path)) continue;
      text_ += "  they wait in a cycle, unless somebody else fulfils the event: ";
      for (const std::size_t at : path) text_ += name_of(*waiters_[at].task) + " -> ";
      text_ += name_of(*waiters_[path.front()].task) + "\n";
      return;
    }
  }

  const Places places_;
  std::vector<Waiter> waiters_;
  std::map<const Task*, std::size_t> index_;
  std::string text_;
};

}  // namespace

std::string report_waits(Places places) {
  return Report(places).write();
}

void name_task_bodies(Task::Body body, const void* (*code_of)(const Task&)) {
  body_readers().push_back({body, code_of});
}

}  // namespace heddle
