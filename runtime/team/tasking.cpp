#include "team/tasking.hpp"

#include <new>
#include <utility>

#include "deps/dependence_table.hpp"
#include "deps/exclusion.hpp"
#include "sys/fatal.hpp"
#include "team/cancellation.hpp"
#include "team/chosen_order.hpp"
#include "team/task_wait.hpp"
#include "team/throttle.hpp"

namespace heddle {
namespace {

// Where a task is completed: by a member of its team, or from outside.
struct Completion {
  Team& team;
  MemoryCache& cache;
  Member* member;  // null outside
};

void release_extensions(Task& task, MemoryCache& cache) {
  for (TaskExtension* extension = task.extensions; extension != nullptr;) {
    TaskExtension* next = extension->next;
    cache.release(extension, extension->bytes, *extension->home);
    extension = next;
  }
}

DependenceTable& table_of(Member& me, Task& task) {
  if (task.child_table == nullptr) {
    if (me.spare_table == nullptr) me.spare_table = std::make_unique<DependenceTable>(&release_task);
    task.child_table = me.spare_table.release();
    task.flags |= Task::kHasChildTable;
  }
  return *task.child_table;
}

// A task whose children go on without it: they may still be compared with its own ancestors (descends_from).
void keep_ancestors(Task& task) {
  if (task.parent != nullptr && task.has_incomplete_descendants() && task.parent->keep())
    task.flags |= Task::kKeepsParent;
}

void hand_out(Completion& where, Task& task) {
  if (where.member != nullptr) {
    make_ready(*where.member, task);
  } else {
    if ((task.flags & Task::kHasHandle) != 0) task.event.fetch_or(Task::kReady, std::memory_order_acq_rel);
    if (where.team.order != nullptr)
      where.team.order->make_ready(task);
    else
      where.team.ready.set_aside(task);
    where.team.parking.wake_all(where.team.places);
  }
}

// Every predecessor of `task` is complete. Returns it where the completing member should run it next.
Task* predecessors_complete(Completion& where, Task& task, bool wants_successor) {
  if (task.is_undeferred()) {
    const int waiter = task.waiter;
    // The creator goes on: do not touch the task again.
    task.event.fetch_or(Task::kReleased, std::memory_order_seq_cst);
    where.team.parking.wake(waiter);
    return nullptr;
  }
  if ((task.flags & Task::kHasExclusions) != 0 && !collect_exclusions(task)) return nullptr;
  if (wants_successor && task.priority == 0 && (task.flags & Task::kHasHandle) == 0) return &task;
  hand_out(where, task);
  return nullptr;
}

// Closes the list of a task that is complete, and releases who waited for it. Where the list was left, not
// held, and this does not free the task, it may be gone. Returns a task to run next, or nullptr.
Task* release_successors(Completion& where, Edge* edges) {
  Task* successor = nullptr;
  const bool wants_one =
      where.member != nullptr && !where.team.ready.has_urgent() && where.team.order == nullptr;
  while (edges != nullptr) {
    Task& next = *edges->successor;
    next.prefetch();
    edges = edges->next;
    if (!release_one(next)) continue;
    Task* chosen = predecessors_complete(where, next, wants_one && successor == nullptr);
    if (chosen != nullptr) successor = chosen;
  }
  // While that one runs, the first that waits for it comes nearer: an edge lies within the task it leads to.
  if (successor != nullptr) {
    if (const Edge* edge = successor->successors.peek()) {
      __builtin_prefetch(edge);
      __builtin_prefetch(reinterpret_cast<const char*>(edge) - kCacheLine);
    }
  }
  return successor;
}

// Ends a task that is plain (task/task.hpp): it may be gone when this returns.
Task* leave_plain(Completion& where, Task& task) {
  if ((task.flags & Task::kNamed) == 0) {
    release_task(task, where.cache);
    return nullptr;
  }
  const auto [edges, was_abandoned] = task.successors.close(SuccessorList<>::Closing::kLeaves);
  if (was_abandoned) release_task(task, where.cache);
  return edges != nullptr ? release_successors(where, edges) : nullptr;
}

// Ends a task that has children which go on, or which were counted: its lifetime decides.
Task* leave_counted(Completion& where, Task& task) {
  Task* successor = nullptr;
  keep_ancestors(task);
  if ((task.flags & Task::kNamed) != 0) {
    task.add_reference();
    const auto [edges, was_abandoned] = task.successors.close(SuccessorList<>::Closing::kHolds);
    if (was_abandoned) task.drop_reference();  // not the last one: the body's is still counted
    successor = release_successors(where, edges);
  }
  task.owner.store(Task::kNoOwner, std::memory_order_relaxed);
  if (task.completed()) release_task(task, where.cache);
  return successor;
}

// Counts `count` completed children of `parent`, created in `group`. Requires: the caller does not own
// `parent`.
void announce_completed(Team& team, MemoryCache& cache, Task& parent, TaskGroup* group, std::uint32_t count) {
  if (group != nullptr) {
    if (const int waiter = group->outstanding.done(count); waiter != WaitCount::kNobody)
      team.parking.wake(waiter);
  }
  int waiter;
  if (parent.children_completed(count, &waiter)) release_task(parent, cache);
  if (waiter != Task::kNobody) team.parking.wake(waiter);
}

void count_finished(Member& me, std::uint64_t count) {
  // release: pairs with the acquire in Team::is_quiescent()
  me.tasks_finished.store(me.tasks_finished.load(std::memory_order_relaxed) + count,
                          std::memory_order_release);
}

// A child of `parent` is complete. The parent's owner counts by itself, others gather (tasking.hpp).
void child_complete(Member& me, Task& parent, TaskGroup* group) {
  if (parent.owner.load(std::memory_order_relaxed) == me.number) {
    if (group != nullptr) {
      if (const int waiter = group->outstanding.done(); waiter != WaitCount::kNobody)
        me.team->parking.wake(waiter);
    }
    parent.child_completed_by_owner();
    count_finished(me, 1);
    return;
  }
  Completions& gathered = me.completions;
  if (gathered.parent != &parent || gathered.group != group) {
    announce_completions(me);
    gathered.parent = &parent;
    gathered.group = group;
  }
  ++gathered.count;
}

TaskGroup* group_of(const Task& task) {
  return (task.flags & Task::kInGroup) != 0 ? task.group : nullptr;
}

Task* complete(Completion& where, Task& task) {
  Task& parent = *task.parent;
  TaskGroup* const group = group_of(task);
  if ((task.flags & Task::kHasExclusions) != 0)
    return_exclusions(task, [&](Task& ready) { hand_out(where, ready); });
  Task* const successor = task.is_plain() ? leave_plain(where, task) : leave_counted(where, task);
  if (where.member != nullptr) {
    child_complete(*where.member, parent, group);
  } else {
    announce_completed(where.team, where.cache, parent, group, 1);
    where.team.finished_outside.fetch_add(1, std::memory_order_acq_rel);
  }
  return successor;
}

void wait_for_predecessors(Member& me, Task& task) {
  const Suspended here(me);
  run_tasks_until(me, [&] { return (task.event.load(std::memory_order_seq_cst) & Task::kReleased) != 0; });
}

// A creator far ahead of those who execute runs what is ready of its own, children's children included: the
// more tasks are incomplete, the less of them is in its cache. Measured: bench/tasks.
constexpr std::int32_t kManyChildren = 2048;

void catch_up(Member& me) {
  Task& parent = *me.current;
  if (!parent.has_more_children(kManyChildren) || me.inline_depth >= kDeepestInline) return;
  const Suspended here(me);
  ++me.inline_depth;
  bool moved = false;
  Task* task = me.team->ready.take_own(me.number, me.rule(), &moved);
  while (task != nullptr) {
    task = execute(me, *task);
    if (task != nullptr && (!may_start(*task, me.rule()) || !parent.has_more_children(kManyChildren / 2))) {
      make_ready(me, *task);
      break;
    }
    if (task == nullptr && parent.has_more_children(kManyChildren / 2))
      task = me.team->ready.take_own(me.number, me.rule(), &moved);
  }
  --me.inline_depth;
  announce_completions(me);
  if (moved) me.team->parking.wake_all(me.team_size);
}

bool must_run_inline(const Member& me) {
  if (me.inline_depth >= kDeepestInline) return false;
  const std::int64_t most = g_throttle.tasks.load(std::memory_order_relaxed);
  return (me.team_size == 1 && most != Throttle::kHold) || me.team->ready.holds(me.number, most);
}

void run_inline(Member& me, Task& task) {
  const Suspended here(me);
  ++me.inline_depth;
  Task* const successor = execute_claimed(me, task);
  --me.inline_depth;
  announce_completions(me);
  if (successor != nullptr) make_ready(me, *successor);
}

// The task that has waited longest: its own queue's oldest and the others' take turns.
Task* find_other_task(Member& me) {
  Team& team = *me.team;
  bool moved = false;
  Task* task = nullptr;
  me.yields_to_others = !me.yields_to_others;
  if (me.yields_to_others) task = find_task(me, Look::kElsewhere);
  if (task == nullptr) task = team.ready.take_own_oldest(me.number, me.rule(), &moved);
  if (task == nullptr) task = find_task(me, Look::kLast);
  if (moved) team.parking.wake_all(me.team_size);
  return task;
}

// Ends an undeferred task: its parent counts it as no child.
void leave_undeferred(Member& me, Task& task) {
  if (task.is_plain()) {
    release_task(task, *me.cache);
    return;
  }
  keep_ancestors(task);
  task.owner.store(Task::kNoOwner, std::memory_order_relaxed);
  if (task.completed()) release_task(task, *me.cache);
}

Team& team_of(Task& task) {
  Task* ancestor = &task;
  while (ancestor->parent != nullptr) ancestor = ancestor->parent;  // the last is implicit
  return *static_cast<Member*>(ancestor->data)->team;
}

}  // namespace

void release_task(Task& task, MemoryCache& cache) {
  for (Task* t = &task; t != nullptr;) {
    Task* kept = (t->flags & Task::kKeepsParent) != 0 ? t->parent : nullptr;
    if ((t->flags & Task::kHasExtensions) != 0) release_extensions(*t, cache);
    if (t->home != nullptr) cache.release(t, t->bytes, *t->home);
    t = kept != nullptr && kept->unkeep() ? kept : nullptr;
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

void announce_completions(Member& me) {
  Completions& gathered = me.completions;
  if (gathered.count == 0) return;
  const std::uint32_t count = std::exchange(gathered.count, 0);
  announce_completed(*me.team, *me.cache, *gathered.parent, gathered.group, count);
  count_finished(me, count);
}

void submit(Member& me, Task& task, std::span<const Dependence> dependences) {
  Team& team = *me.team;
  Task& parent = *me.current;
  if (!me.request.is_empty()) [[unlikely]]
    apply_request(me.request, task);
  if (me.cache->bytes_in_use() > me.hold_at && team.order == nullptr) [[unlikely]]
    hold_back(me);
  parent.child_created();
  if (task.group != nullptr) task.group->outstanding.add();
  me.tasks_created.store(me.tasks_created.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (!team.has_tasks.load(std::memory_order_relaxed)) team.has_tasks.store(true, std::memory_order_relaxed);
  if (!dependences.empty()) {
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
  if (task.priority >= 0 && (task.flags & Task::kHasHandle) == 0 && must_run_inline(me))
    run_inline(me, task);
  else
    make_ready(me, task);
}

void submit_sibling(Member& me, Task& task) {
  Team& team = *me.team;
  task.parent = me.current->parent;
  task.depth = me.current->depth;
  if (task.parent->owner.load(std::memory_order_relaxed) == me.number)
    task.parent->child_created();
  else
    task.parent->child_created_elsewhere();
  if (task.group != nullptr) task.group->outstanding.add();
  me.tasks_created.store(me.tasks_created.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (!team.has_tasks.load(std::memory_order_relaxed)) team.has_tasks.store(true, std::memory_order_relaxed);
  make_ready(me, task);
}

bool runs_at_once(Member& me, bool has_dependences) {
  if (!must_run_inline(me) || !me.request.is_empty() || me.team->order != nullptr ||
      me.team->discards_tasks.load(std::memory_order_relaxed))
    return false;
  return !has_dependences || (me.team_size == 1 && me.current->children_complete());
}

void begin_undeferred(Member& me, Task& task, std::span<const Dependence> dependences) {
  if (me.team->order != nullptr) [[unlikely]]
    stand_at_point(me);
  task.flags |= Task::kUndeferred;
  task.waiter = me.number;
  if (!me.request.is_empty()) [[unlikely]]
    apply_request(me.request, task);
  if (!dependences.empty() && me.current->child_table != nullptr) {
    if (!arm(task, me.current->child_table->add_waiting_only(task, dependences, *me.cache)))
      wait_for_predecessors(me, task);
  }
  task.next = me.constraint;  // free to use: an undeferred task is on no list
  me.constraint = me.current;
  me.current = &task;
  ++me.inline_depth;
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  if (me.team->order != nullptr) [[unlikely]]
    me.team->order->starts_undeferred(task, me.number);
}

void end_undeferred(Member& me, Task& task) {
  me.current = task.parent;
  --me.inline_depth;
  forget_dependences(me, task);
  if (task.is_detachable() &&
      (task.event.fetch_or(Task::kBodyReturned, std::memory_order_acq_rel) & Task::kFulfilled) == 0) {
    // The creator goes on when the task is complete, which takes its event.
    run_tasks_until(me, [&] { return (task.event.load(std::memory_order_seq_cst) & Task::kFulfilled) != 0; });
  }
  me.constraint = task.next;
  leave_undeferred(me, task);
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

}  // namespace

void taskwait(Member& me) {
  Task& task = *me.current;
  if (!task.children_complete()) {
    const Wanted children{&task, nullptr};
    const Suspended here = task.environment->waits_for_latency ? Suspended(me, children) : Suspended(me);
    run_tasks_until(me, ChildWait(me));
  }
  if (task.child_table != nullptr && !task.child_table->is_empty()) task.child_table->clear(*me.cache);
}

void taskwait_depend(Member& me, std::span<const Dependence> dependences) {
  if (me.current->child_table == nullptr) return;  // no child has dependences
  Task& waiting = new_task(me, 0, Task::kUndeferred);
  begin_undeferred(me, waiting, dependences);
  end_undeferred(me, waiting);
}

void taskgroup_begin(Member& me) {
  me.current->group = new (me.cache->allocate(sizeof(TaskGroup))) TaskGroup(me.current->group);
}

void taskgroup_end(Member& me) {
  TaskGroup* group = me.current->group;
  HEDDLE_ASSERT(group != nullptr);
  if (!group->outstanding.is_zero()) {
    const Wanted members{nullptr, group};
    const Suspended here =
        me.current->environment->waits_for_latency ? Suspended(me, members) : Suspended(me);
    group->outstanding.begin_wait(me.number);
    run_tasks_until(me, [&] { return group->outstanding.is_zero(); });
    group->outstanding.end_wait(me.number);
  }
  me.current->group = group->outer;
  me.cache->release(group, sizeof(TaskGroup), *me.cache);
}

void taskyield(Member& me) {
  if (me.team->order != nullptr) [[unlikely]]
    return stand_at_point(me);
  const Suspended here(me);
  if (Task* task = find_other_task(me)) {
    if (Task* successor = execute(me, *task)) make_ready(me, *successor);
    announce_completions(me);
  }
}

void run_claimed(Member& me, Task& task) {
  const Suspended here(me);
  Task* const successor = execute_claimed(me, task);
  announce_completions(me);
  if (successor != nullptr) make_ready(me, *successor);
}

void fulfill_event(Task& task) {
  const std::uint32_t before = task.event.load(std::memory_order_acquire);
  if ((before & Task::kFulfilled) != 0)
    fatal("omp_fulfill_event: this event is fulfilled already; fulfil it once");
  Team& team = team_of(task);
  team.visitors.fetch_add(1, std::memory_order_acq_rel);  // the team stays until we are done with it
  const bool is_undeferred = task.is_undeferred();
  const int waiter = task.waiter;
  const std::uint32_t state = task.event.fetch_or(Task::kFulfilled, std::memory_order_seq_cst);
  if (is_undeferred) {
    team.parking.wake(waiter);
  } else if ((state & Task::kBodyReturned) != 0) {
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

// A member that has not noticed yet that its region is over may find tasks of the next, in which it may have
// no place.
static bool is_late(const Member& me) {
  return me.number != 0 && me.team->opening.load(std::memory_order_seq_cst) != me.seen_opening;
}

static Task* find_task_in_order(Member& me) {
  announce_completions(me);
  Task* const task = me.team->order->take(me.constraint);
  if (task == nullptr || !is_late(me)) return task;
  make_ready(me, *task);
  return nullptr;
}

Task* find_task(Member& me, Look look) {
  Team& team = *me.team;
  if (me.team_size == 1 && !team.has_tasks.load(std::memory_order_relaxed)) return nullptr;
  if (team.order != nullptr) [[unlikely]]
    return find_task_in_order(me);
  bool moved = false;
  Task* task = look == Look::kElsewhere ? nullptr : team.ready.take_own(me.number, me.rule(), &moved);
  if (task == nullptr) {
    announce_completions(me);
    bool left_some = false;
    task = team.ready.take_elsewhere(me.number, me.team_size, me.rule(), look == Look::kPatient, &moved,
                                     &left_some);
    if (task == nullptr && look != Look::kElsewhere && !left_some)
      task = team.ready.take_background(me.rule());
  }
  if (task != nullptr && is_late(me)) {
    team.ready.set_aside(*task);
    task = nullptr;
    moved = true;
  }
  // Who may start what was set aside is not known, and the next sleeper may be as constrained as this thread.
  if (moved) team.parking.wake_all(me.team_size);
  return task;
}

Task* execute(Member& me, Task& task) {
  if ((task.flags & (Task::kHasHandle | Task::kUndeferred)) == Task::kHasHandle) [[unlikely]] {
    const bool is_ours = task.claim();
    if (task.drop_reference()) release_task(task, *me.cache);  // the queue's; not the last one of ours
    if (!is_ours) return nullptr;
  }
  return execute_claimed(me, task);
}

Task* execute_claimed(Member& me, Task& task) {
  Task* const suspended = me.current;
  if (me.team->discards_tasks.load(std::memory_order_relaxed) && is_discarded(*me.team, task)) [[unlikely]]
    task.flags |= Task::kDiscarded;
  Completions& gathered = me.completions;
  // The body may go on for long, and with it waits for what is gathered: unless they wait for this task, too.
  if (gathered.count != 0 && (gathered.parent != task.parent || gathered.group != group_of(task)))
    announce_completions(me);
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  me.current = &task;
  if (me.team->order != nullptr) [[unlikely]]
    run_body_in_order(me, task);
  else
    task.body(task);
  me.current = suspended;
  if ((task.flags & Task::kHasMoreParts) != 0) {
    task.flags = static_cast<std::uint16_t>((task.flags & ~Task::kHasMoreParts) | Task::kStarted);
    task.owner.store(Task::kNoOwner, std::memory_order_relaxed);  // another member may run the next part
    if (me.team->order == nullptr) return &task;
    make_ready(me, task);
    return nullptr;
  }
  if ((task.flags & Task::kHasChildTable) != 0) forget_dependences(me, task);
  if (task.is_detachable()) {
    task.owner.store(Task::kNoOwner, std::memory_order_relaxed);  // completed by whoever fulfils the event
    if ((task.event.fetch_or(Task::kBodyReturned, std::memory_order_acq_rel) & Task::kFulfilled) == 0)
      return nullptr;
  }
  Completion where{*me.team, *me.cache, &me};
  return complete(where, task);
}

void make_ready(Member& me, Task& task) {
  if ((task.flags & Task::kHasHandle) != 0) [[unlikely]]
    task.event.fetch_or(Task::kReady, std::memory_order_acq_rel);
  if (me.team->order != nullptr) [[unlikely]] {
    me.team->order->make_ready(task);
    me.team->parking.wake_one(me.team_size);
    if (me.team->order->has_constrained_looks()) me.team->parking.wake_all(me.team_size);
    return;
  }
  const bool is_urgent = task.priority > 0;
  me.team->ready.push(me.number, task);
  if (is_urgent)
    me.team->parking.wake_all(me.team_size);  // a constrained sleeper leaves it where it is
  else
    me.team->parking.wake_one(me.team_size);  // a constrained sleeper sets it aside, and wakes the others
}

void forget_dependences(Member& me, Task& task) {
  if (task.child_table == nullptr) return;
  std::unique_ptr<DependenceTable> table(std::exchange(task.child_table, nullptr));
  table->clear(*me.cache);
  if (me.spare_table == nullptr) me.spare_table = std::move(table);
}

}  // namespace heddle
