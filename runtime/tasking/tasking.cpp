#include "tasking/tasking.hpp"

#include <new>
#include <utility>

#include "deps/dependence_table.hpp"
#include "deps/exclusion.hpp"
#include "graph/graph_event.hpp"
#include "replay/taskgraph.hpp"
#include "suspend/continuation.hpp"
#include "suspend/polling.hpp"
#include "sys/fatal.hpp"
#include "sys/relax.hpp"
#include "sys/ticks.hpp"
#include "tasking/at_once.hpp"
#include "tasking/chosen_order.hpp"
#include "tasking/completion.hpp"
#include "tasking/external_state.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/throttle.hpp"
#include "team/wait_in_place.hpp"

namespace heddle {
namespace {

DependenceTable& table_of(Member& me, Task& task) {
  if (task.child_table == nullptr) {
    if (me.spare_table == nullptr) me.spare_table = std::make_unique<DependenceTable>(&release_task);
    task.child_table = me.spare_table.release();
    task.flags.set(Task::kHasChildTable);
  }
  return *task.child_table;
}

// Whether a wait of the current task leaves its thread: otherwise what it executes meanwhile might suspend on
// top of it. A wait for latency executes nothing but what it waits for.
bool leaves_to_wait(const Member& me) {
  return may_suspend() && !me.current->environment->waits_for_latency;
}

void leave_for_predecessors(Member& me, Task& task) {
  Suspension self(me, WaitsFor::kPredecessors, &task);
  task.waits_for_predecessors = &self;
  // release: pairs with the fetch_or in predecessors_complete()
  if ((task.event.fetch_or(Task::kCreatorLeft, std::memory_order_acq_rel) & Task::kReleased) == 0)
    suspend(self);
}

// The task's own member completes children of it meanwhile, like any other.
void leave_for_children(Member& me, Task& task) {
  announce_completions(me);
  Suspension self(me, WaitsFor::kChildren, &task);
  task.waits_for_children = &self;
  const std::uint16_t owner = task.owner.load(std::memory_order_relaxed);  // none of a spawned task
  task.owner.store(Task::kNoOwner, std::memory_order_relaxed);
  if (task.begin_child_wait(Task::kHasLeft)) suspend(self);
  task.end_child_wait(Task::kHasLeft);
  task.owner.store(owner, std::memory_order_relaxed);
}

void leave_for_group(Member& me, TaskGroup& group) {
  Suspension self(me, WaitsFor::kGroup, &group);
  group.waiter = &self;
  if (group.outstanding.begin_wait(Task::kHasLeft)) suspend(self);
  group.outstanding.end_wait(Task::kHasLeft);
}

void wait_for_predecessors(Member& me, Task& task) {
  before_wait(me);
  if (leaves_to_wait(me)) [[unlikely]]
    return leave_for_predecessors(me, task);
  const Suspended here(me);
  const WaitInPlace word(me, WaitsFor::kPredecessors, &task);
  run_tasks_until(me, [&] { return (task.event.load(std::memory_order_seq_cst) & Task::kReleased) != 0; });
}

// A creator far ahead of those who execute helps them, with its descendants that are ready, wherever they
// stand: the more tasks are incomplete, the less of them is in its cache, and the more memory is touched for
// the first time. Where it finds nothing it goes on creating, and looks again later. Measured: bench/tasks.
constexpr std::int64_t kManyChildren = 1024, kManyPerThread = 32, kMostChildren = 1 << 24;

void catch_up(Member& me) {
  if (!me.looks_ahead.is_over() || me.inline_depth >= kDeepestInline) return;
  const std::int64_t ready = g_throttle.tasks.load(std::memory_order_relaxed);
  if (ready == Throttle::kHold) return;
  const auto many = static_cast<std::int32_t>(
      std::min(std::max({kManyChildren, ready, kManyPerThread * me.team_size}), kMostChildren));
  Task& parent = *me.current;
  if (!parent.has_more_children(many) || (may_suspend() && !can_leave(me))) return;
  const Suspended here(me);
  ++me.inline_depth;
  const auto has_caught_up = [&] { return !parent.has_more_children(many / 2); };
  while (!has_caught_up()) {
    Task* const task = find_task(me, Look::kForeground);
    if (task == nullptr) {
      me.looks_ahead.was_in_vain();
      break;
    }
    me.looks_ahead.was_of_use();
    execute_meanwhile(me, *task, has_caught_up);
  }
  --me.inline_depth;
  announce_completions(me);
}

// Executes what is ready until the current task's children are complete, wherever they went. Gives up where
// they are not soon: some may wait for what the current task does later.
bool complete_children(Member& me) {
  constexpr std::uint64_t kPatienceUs = 20, kMostUs = 500;
  const Task& parent = *me.current;
  if (may_suspend() && !can_leave(me)) return false;
  const std::uint64_t began = ticks();
  std::uint64_t got_on_at = began;
  const Suspended here(me);
  ++me.inline_depth;
  while (!parent.children_complete()) {
    if (Task* const task = find_task(me, Look::kForeground)) {
      execute_meanwhile(me, *task, [&] { return parent.children_complete(); });
      got_on_at = ticks();
    } else {
      cpu_relax();
    }
    const std::uint64_t now = ticks();
    if (now - got_on_at > kPatienceUs * ticks_per_us() || now - began > kMostUs * ticks_per_us()) break;
  }
  --me.inline_depth;
  announce_completions(me);
  return parent.children_complete();
}

bool is_alone_better(const Member& me) {
  return me.current->depth < kNested && may_leave_unshared(me) &&
         me.team->tiny_votes.load(std::memory_order_relaxed) == TinyTasks::kSure;
}

[[gnu::cold]] void try_alone(Member& me) {
  if (!is_alone_better(me)) return me.tiny.stay();
  if (!complete_children(me)) return me.tiny.postpone();
  me.tiny.go_alone(me.current);
}

// After a wait of the current task for its children.
inline void note_wait_ends(Member& me) {
  if (me.tiny.wait_ends(me.current)) return;
  if (me.tiny.is_postponed() && is_alone_better(me) && me.current->children_complete()) [[unlikely]]
    me.tiny.go_alone(me.current);
}

bool must_run_inline(const Member& me) {
  if (me.inline_depth >= kDeepestInline) return false;
  const std::int64_t most = g_throttle.tasks.load(std::memory_order_relaxed);
  return (me.team_size == 1 && most != Throttle::kHold) || me.team->ready.holds(me.number, most);
}

void run_inline(Member& me, Task& task) {
  if (may_suspend()) [[unlikely]]
    return can_leave(me) ? run_apart(me, task) : make_ready(me, task);
  ++me.inline_depth;
  run_claimed(me, task);
  --me.inline_depth;
}

void share(Member& me, Task& task, std::span<const Dependence> dependences);

// It has events outside OpenMP, which its creator does not wait for: it is a child like any other from now
// on.
[[gnu::cold]] void end_with_events(Member& me, Task& task) {
  task.flags.clear(Task::kUndeferred);
  if (task.group != nullptr) task.flags.set(Task::kInGroup);
  count_late(me, task);
  if (Task* const successor = end_body(me, task)) make_ready(me, *successor);
  announce_completions(me);
}

Team& team_of(Task& task) {
  Task* ancestor = &task;
  while (ancestor->parent != nullptr) ancestor = ancestor->parent;  // the last is implicit
  return *static_cast<Member*>(ancestor->data)->team;
}

}  // namespace

constinit std::atomic<int> g_deepest_at_once{kDeepestInline};

Task& new_undeferred(Member& me, unsigned flags) {
  Task& task = new_task(me, kSparePayloadBytes, flags | Task::kUndeferred);
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  return task;
}

Task& new_apart_at_once(Member& me, std::size_t payload_bytes, unsigned flags) {
  if (payload_bytes > kSparePayloadBytes) return new_task(me, payload_bytes, flags);
  Task* task = me.spare_undeferred;
  if (task != nullptr) [[likely]] {
    me.spare_undeferred = task->next;
    task->renew(*me.current, flags);
    if (task->group != nullptr) task->flags.set(Task::kInGroup);
  } else {
    task = &new_task(me, kSparePayloadBytes, flags);
  }
  task->waiter = Task::kSpare;
  return *task;
}

void end_apart_at_once(Member& me, Task& task) {
  if (is_as_new(task) && task.waiter == Task::kSpare && task.home == me.cache) [[likely]]
    task.next = std::exchange(me.spare_undeferred, &task);
  else
    end_at_once(me, task);
}

void end_at_once(Member& me, Task& task) {
  if (task.is_detachable()) [[unlikely]]
    return end_with_events(me, task);
  forget_dependences(me, task);
  leave_undeferred(me, task);
}

void forget_spare_tasks(Member& place) {
  while (Task* const task = place.spare_undeferred) {
    place.spare_undeferred = task->next;
    release_task(*task, *place.cache);
  }
}

Task& new_task(Member& me, std::size_t payload_bytes, unsigned flags, const void* code) {
  const std::size_t bytes = sizeof(Task) + payload_bytes;
  Task& task =
      *new (me.cache->allocate(bytes)) Task(*me.current, me.cache, static_cast<std::uint32_t>(bytes), flags);
  if (me.team->order != nullptr) [[unlikely]]
    me.team->order->created(task, code);
  return task;
}

void submit(Member& me, Task& task, std::span<const Dependence> dependences) {
  share(me, task, dependences);
  if (me.tiny.is_due()) [[unlikely]]
    try_alone(me);
}

namespace {

void share(Member& me, Task& task, std::span<const Dependence> dependences) {
  Team& team = *me.team;
  Task& parent = *me.current;
  if (!me.request.is_empty()) [[unlikely]]
    apply_request(me, task);
  if (me.cache->bytes_in_use() > me.hold_at) [[unlikely]]
    hold_back(me);
  parent.child_created();
  count_created(me, task.group, 1);
  if (!dependences.empty()) {
    if (me.flight != nullptr) [[unlikely]]
      wait_for_flight(me);
    if (team.homes.active() != nullptr && task.slot == HomeTable::kNoSlot) [[unlikely]]
      task.slot = HomeTable::slot_of(dependences);
    if (!arm(task, table_of(me, parent).add(task, dependences, *me.cache)) ||
        ((task.flags & Task::kHasExclusions) != 0 && !collect_exclusions(task))) {
      if (team.order != nullptr) [[unlikely]]
        stand_at_point(me);
      else
        catch_up(me);
      return;
    }
  }
  if (team.order != nullptr) [[unlikely]] {
    make_ready(me, task);
    stand_at_point(me);
    return;
  }
  // What the program has plans for waits for its turn.
  if (task.priority >= 0 && (task.flags & Task::kHasHandle) == 0 && must_run_inline(me) &&
      home_of(me, task) == me.number)
    run_inline(me, task);
  else
    make_ready(me, task);
}

}  // namespace

void submit_sibling(Member& me, Task& task) {
  task.parent = me.current->parent;
  task.depth = me.current->depth;
  if (task.parent->owner.load(std::memory_order_relaxed) == me.number)
    task.parent->child_created();
  else
    task.parent->child_created_elsewhere();
  count_created(me, task.group, 1);
  make_ready(me, task);
}

void begin_undeferred(Member& me, Task& task, std::span<const Dependence> dependences) {
  task.flags.set(Task::kUndeferred);
  task.waiter = static_cast<std::uint16_t>(me.number);
  if (task.is_detachable()) [[unlikely]]  // its event may be fulfilled already
    task.event.fetch_or(Task::kCreatorWaits, std::memory_order_release);
  else
    task.event.store(Task::kCreatorWaits, std::memory_order_relaxed);
  if (!me.request.is_empty()) [[unlikely]]
    apply_request(me, task);
  if (me.team->order != nullptr) [[unlikely]]
    stand_at_point(me);  // tasks that run here may create others, which the request is not for
  if (!dependences.empty() && me.flight != nullptr) [[unlikely]]
    wait_for_flight(me);
  if (!dependences.empty() && me.current->child_table != nullptr) {
    if (!arm(task, me.current->child_table->add_waiting_only(task, dependences, *me.cache)))
      wait_for_predecessors(me, task);
  }
  task.next = enter_undeferred(me, task);  // free to use: an undeferred task is on no list
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  if (me.team->order != nullptr) [[unlikely]]
    me.team->order->starts_undeferred(task, me.number);
}

void end_undeferred(Member& me, Task& task) {
  me.current = task.parent;
  --me.inline_depth;
  me.tiny.forget_creator(task);
  forget_dependences(me, task);
  if (task.is_detachable() && (task.event.load(std::memory_order_relaxed) & Task::kHasEvents) != 0)
    end_body_of_external(task);
  if (task.is_detachable() &&
      (task.event.fetch_or(Task::kBodyReturned, std::memory_order_acq_rel) & Task::kFulfilled) == 0) {
    // The creator goes on when the task is complete, which takes its event.
    const WaitInPlace word(me, WaitsFor::kDetachEvent, &task);
    run_tasks_until(me, [&] { return (task.event.load(std::memory_order_seq_cst) & Task::kFulfilled) != 0; });
  }
  me.constraint = task.next;
  leave_undeferred(me, task);
  if (needs_attention()) [[unlikely]]
    attend(me);
}

namespace {

// Waits for the children of the current task.
class ChildWait {
 public:
  explicit ChildWait(Member& me) : task_(*me.current), who_(me.number) {}
  bool operator()() const { return task_.children_complete(); }
  bool prepare_sleep() {
    task_.begin_child_wait(who_);
    return !task_.waited_children_complete();
  }
  void end_sleep() { task_.end_child_wait(who_); }

 private:
  Task& task_;
  int who_;
};

// Not inlined: most taskwaits find their children complete, and need no frame for a wait.
[[gnu::noinline]] void wait_in_place_for_children(Member& me, Task& task) {
  const Wanted children{&task, nullptr};
  const Suspended here(me, children);
  const WaitInPlace word(me, WaitsFor::kChildren, &task);
  run_tasks_until(me, ChildWait(me));
}

}  // namespace

void taskwait(Member& me) {
  if (is_recording(me)) [[unlikely]]
    note_wait(me);
  Task& task = *me.current;
  me.tiny.wait_begins(me.current);
  if (!task.children_complete()) {
    before_wait(me);
    if (leaves_to_wait(me)) [[unlikely]] {
      leave_for_children(me, task);
    } else {
      wait_in_place_for_children(me, task);
    }
  }
  if (task.child_table != nullptr && !task.child_table->is_empty()) task.child_table->clear(*me.cache);
  note_wait_ends(me);
}

void taskwait_depend(Member& me, std::span<const Dependence> dependences) {
  if (is_recording(me)) [[unlikely]]
    note_wait(me, dependences);
  if (me.flight != nullptr) [[unlikely]]
    wait_for_flight(me);
  if (me.current->child_table == nullptr) return;  // no child has dependences
  Task& waiting = new_task(me, 0, Task::kUndeferred);
  begin_undeferred(me, waiting, dependences);
  end_undeferred(me, waiting);
}

void taskgroup_begin(Member& me) {
  if (is_recording(me)) [[unlikely]]
    note_group_begin(me);
  me.current->group = new (me.cache->allocate(sizeof(TaskGroup))) TaskGroup(me.current->group);
}

void taskgroup_begin_of_construct(Member& me) {
  taskgroup_begin(me);
  me.current->group->is_of_construct = true;
}

void wait_for_group(Member& me, TaskGroup& group) {
  if (group.outstanding.is_zero()) return;
  before_wait(me);
  if (leaves_to_wait(me)) [[unlikely]]
    return leave_for_group(me, group);
  const Wanted members{nullptr, &group};
  const Suspended here(me, members);
  const WaitInPlace word(me, WaitsFor::kGroup, &group);
  group.outstanding.begin_wait(me.number);
  run_tasks_until(me, [&] { return group.outstanding.is_zero(); });
  group.outstanding.end_wait(me.number);
}

void taskgroup_end(Member& me) {
  if (is_recording(me)) [[unlikely]]
    note_group_end(me);
  TaskGroup* group = me.current->group;
  HEDDLE_ASSERT(group != nullptr);
  me.tiny.wait_begins(me.current);
  wait_for_group(me, *group);
  me.current->group = group->outer;
  me.cache->release(group, sizeof(TaskGroup), *me.cache);
  note_wait_ends(me);
}

namespace {

[[noreturn]] void refuse_to_fulfill_again() {
  fatal("omp_fulfill_event: this event is fulfilled already; fulfil it once");
}

}  // namespace

void fulfill_event(void* handle) {
  if (ContinuationEvent::is_handle(handle)) {
    fulfill_continuation(handle);
  } else if (GraphEvent* const event = GraphEvent::of_handle(handle)) {
    if (Task* const task = event->fulfilled()) {
      if (event->was_fulfilled(task)) refuse_to_fulfill_again();
      fulfill_event(*task);
    }
  } else {
    return fulfill_event(*static_cast<Task*>(handle));
  }
  if (t_worker != nullptr && is_recording(*t_worker->member)) [[unlikely]]
    refuse_to_record(*t_worker->member, "its code fulfils an event");
}

void fulfill_event(Task& task) {
  const std::uint32_t before = task.event.load(std::memory_order_acquire);
  if ((before & Task::kFulfilled) != 0) refuse_to_fulfill_again();
  Team& team = team_of(task);
  team.visitors.fetch_add(1, std::memory_order_acq_rel);  // the team stays until we are done with it
  const int waiter = task.waiter;
  const std::uint32_t state = task.event.fetch_or(Task::kFulfilled, std::memory_order_seq_cst);
  if ((state & Task::kCreatorWaits) != 0) {  // it may be gone
    team.parking.wake(waiter);
  } else if ((state & Task::kBodyReturned) != 0) {
    if (has_watchdog()) [[unlikely]]
      forget_detached(task);
    Member& me = this_member();
    if (me.team == &team) {
      Completion where{team, *me.cache, &me};
      if (Task* successor = complete(where, task)) make_ready(me, *successor);
      announce_completions(me);
    } else {
      Completion where{team, this_worker().cache, nullptr};
      complete(where, task);
    }
    // Nobody in the barrier saw this task end: they have to look again.
    team.parking.wake_all(team.places);
  }
  team.visitors.fetch_sub(1, std::memory_order_acq_rel);
}

void forget_dependences(Member& me, Task& task) {
  if (task.child_table == nullptr) return;
  std::unique_ptr<DependenceTable> table(std::exchange(task.child_table, nullptr));
  table->clear(*me.cache);
  if (me.spare_table == nullptr) me.spare_table = std::move(table);
}

}  // namespace heddle
