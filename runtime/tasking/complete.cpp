#include "tasking/complete.hpp"

#include <algorithm>
#include <utility>

#include "deps/dependence_table.hpp"
#include "deps/exclusion.hpp"
#include "suspend/polling.hpp"
#include "suspend/suspension.hpp"
#include "sys/fatal.hpp"
#include "task/task.hpp"
#include "team/recorder.hpp"

namespace heddle {

void make_ready(Member& me, Task& task) {
  task.notify_handle();
  if (me.team->order != nullptr) [[unlikely]] {
    me.team->order->make_ready(task);
    me.team->parking.wake_all(me.team_size);  // it may be for a sleeper alone that may start few others
    return;
  }
  if (is_oldest_first()) [[unlikely]] {
    me.team->ready.push_overflow(task);
    me.team->parking.wake_all(me.team_size);
    return;
  }
  if (const int home = home_of(me, task); home != me.number && task.priority == 0) [[unlikely]] {
    if (me.team->ready.post(home, task)) {
      me.team->parking.wake_for_work(me.team_size, home);
      return;
    }
  }
  const std::int32_t priority = task.priority;
  if (priority == 0 && is_in_poller()) [[unlikely]]
    me.made_ready_by_poller = std::min(me.made_ready_by_poller, me.team->ready.end_of(me.number));
  me.team->ready.push(me.number, task);
  Parking<>& parking = me.team->parking;
  // A constrained sleeper leaves an urgent task where it is; another, too, and wakes the next.
  if (priority > 0)
    parking.wake_all(me.team_size);
  else if (priority < 0)  // whether something is left of the member's own says nothing about the background
    parking.wake_for_work(me.team_size);
  else
    parking.wake_for_work(me.team_size, [&me] { return !me.team->ready.holds(me.number, 1); });
}

void make_ready_for(Member& me, int member, Task& youngest, Task& oldest, std::uint32_t count) {
  if (me.team->ready.post(member, youngest, oldest, count))
    return me.team->parking.wake_for_work(me.team_size, member);
  for (Task* next = &youngest; next != nullptr;) make_ready(me, *std::exchange(next, next->next));
}

void release_task(Task& task, MemoryCache& cache) {
  for (Task* t = &task; t != nullptr;) {
    Task* retained = (t->flags & Task::kRetainsParent) != 0 ? t->parent : nullptr;
    if ((t->flags & Task::kHasExtensions) != 0) release_extensions(*t, cache);
    if (t->home != nullptr) cache.release(t, t->bytes, *t->home);
    t = retained != nullptr && retained->drop_retained() ? retained : nullptr;
  }
}

namespace {

// A task whose children go on without it: they may still be compared with its own ancestors (descends_from).
void keep_ancestors(Task& task) {
  if (task.parent != nullptr && task.has_incomplete_descendants() && task.parent->retain())
    task.flags.set(Task::kRetainsParent);
}

void hand_out(Completion& where, Task& task) {
  if (where.member != nullptr) {
    make_ready(*where.member, task);
  } else {
    task.notify_handle();
    if (where.team.order != nullptr)
      where.team.order->make_ready(task);
    else
      where.team.ready.push_overflow(task);
    where.team.parking.wake_all(where.team.places);
  }
}

// A child of `parent`, created in `group`, is complete. is_mine: the member has published it.
void count_completed(Completion& where, Task& parent, TaskGroup* group, bool is_mine);

// Every predecessor of `task` is complete. Returns it where the completing member should run it next.
Task* predecessors_complete(Completion& where, Task& task, bool wants_successor) {
  if (task.is_undeferred()) {
    if (task.kind == Task::kRelay) {
      task.next = std::exchange(where.relays, &task);
      return nullptr;
    }
    const int creator = task.creator;
    // The creator goes on: do not touch the task again, unless it has left its thread.
    if (task.status.release())
      resume(*task.parent->suspension);
    else
      where.team.parking.wake(creator);
    return nullptr;
  }
  if ((task.flags & Task::kHasExclusions) != 0 && !collect_exclusions(task)) return nullptr;
  if (wants_successor && may_succeed(*where.member, task)) return &task;
  hand_out(where, task);
  return nullptr;
}

// Releases the tasks that waited for a complete one, whose list they were on. Returns the task to run next,
// `successor` or one of them, or nullptr; any other that might have been is handed out.
Task* release_listed(Completion& where, const SuccessorList<>::Closed& closed, Task* successor) {
  const bool wants_one = where.member != nullptr && takes_successors(*where.member);
  const auto release = [&](Task& next) {
    if (!release_one(next)) return;
    Task* const chosen = predecessors_complete(where, next, wants_one);
    if (chosen == nullptr) return;
    if (successor != nullptr) hand_out(where, *successor);
    successor = chosen;
  };
  for (std::uint32_t i = 0; i < closed.directs; ++i) closed.direct[i]->prefetch();
  for (const Edge* edge = closed.edges; edge != nullptr;) {
    Task& next = *edge->successor;
    next.prefetch();
    edge = edge->next;
    release(next);
  }
  for (std::uint32_t i = closed.directs; i > 0; --i) release(*closed.direct[i - 1]);
  return successor;
}

// Completes the relays that wait for nothing more, one after the other: there may be long rows of them.
// Returns as release_listed().
[[gnu::cold]] Task* complete_relays(Completion& where, Task* successor) {
  while (Task* const relay = where.relays) {
    where.relays = relay->next;
    Task& parent = *relay->parent;
    TaskGroup* const group = group_of(*relay);
    const bool is_mine = where.member != nullptr && relay->creator == where.member->number;
    const auto closed = relay->successors.close(SuccessorList<>::Closing::kLeaves);
    if (closed.was_abandoned) release_task(*relay, where.cache);
    successor = release_listed(where, closed, successor);
    count_completed(where, parent, group, is_mine);
  }
  return successor;
}

// Closes the list of a task that is complete, and releases the tasks that waited for it. Where the list was
// left, not held, and this does not free the task, it may be gone. Returns a task to run next, or nullptr.
Task* release_successors(Completion& where, const SuccessorList<>::Closed& closed) {
  Task* successor = release_listed(where, closed, nullptr);
  if (where.relays != nullptr) [[unlikely]]
    successor = complete_relays(where, successor);
  // While that one runs, the first that waits for it comes nearer.
  if (successor != nullptr)
    if (const Task* const after = successor->successors.first()) after->prefetch();
  return successor;
}

// The same of a graph's task; its body has released them, but where it is detachable, or names itself.
Task* release_recorded(Completion& where, Task& task) {
  if (!task.is_detachable() && task.released != &task) [[likely]]
    return task.released;
  for (Task* next = recorder().release_successors(task, where.cache); next != nullptr;)
    hand_out(where, *std::exchange(next, next->next));
  return nullptr;
}

// release_task() of a task that nobody but itself keeps in memory.
inline void free_plain(Task& task, MemoryCache& cache) {
  constexpr unsigned kMore = Task::kRetainsParent | Task::kHasExtensions;
  if ((task.flags & kMore) == 0 && task.home == &cache) [[likely]]
    cache.release(&task, task.bytes, cache);
  else
    release_task(task, cache);
}

// Ends a task that is plain (task/task.hpp): it may be gone when this returns.
Task* leave_plain(Completion& where, Task& task) {
  if ((task.flags & Task::kInTable) == 0) {
    Task* successor = nullptr;
    if (task.is_recorded()) [[unlikely]]
      successor = release_recorded(where, task);
    free_plain(task, where.cache);
    return successor;
  }
  const auto closed = task.successors.close(SuccessorList<>::Closing::kLeaves);
  if (closed.was_abandoned) release_task(task, where.cache);
  return closed.directs > 0 ? release_successors(where, closed) : nullptr;
}

// Ends a task that has children which go on, or which were counted: its lifetime decides.
Task* leave_counted(Completion& where, Task& task) {
  Task* successor = task.is_recorded() ? release_recorded(where, task) : nullptr;
  keep_ancestors(task);
  if ((task.flags & Task::kInTable) != 0) {
    task.add_reference();
    const auto closed = task.successors.close(SuccessorList<>::Closing::kHolds);
    if (closed.was_abandoned) task.drop_reference();  // not the last one: the body's is still counted
    successor = release_successors(where, closed);
  }
  task.owner.store(Task::kNoOwner);
  if (task.completed()) release_task(task, where.cache);
  return successor;
}

Task* leave(Completion& where, Task& task) {
  return task.is_plain() ? leave_plain(where, task) : leave_counted(where, task);
}

void leave_group(Team& team, TaskGroup* group, std::uint32_t count) {
  while (group != nullptr) {
    TaskGroup* const also = group->also;  // the group may be gone when it has been told
    if (const int waiter = group->outstanding.done(count); waiter == Task::kHasLeft)
      resume(*group->waiter);
    else if (waiter != WaitCount<>::kNobody)
      team.parking.wake(waiter);
    group = also;
  }
}

// Counts `count` completed children of `parent`, created in `group`. Requires: the caller does not own
// `parent`. The group learns it last: when it is over nobody touches what its tasks used any more, which may
// be a graph.
void announce_completed(Team& team, MemoryCache& cache, Task& parent, TaskGroup* group, std::uint32_t count) {
  int waiter;
  if (parent.children_completed(count, &waiter)) release_task(parent, cache);
  if (waiter == Task::kHasLeft)
    resume(*parent.suspension);
  else if (waiter != Task::kNobody)
    team.parking.wake(waiter);
  leave_group(team, group, count);
}

void count_finished(Member& me, std::uint64_t count) {
  me.tasks.add_finished(count);
}

// A child of `parent` is complete. The parent's owner counts those by itself that it has published, and all
// others are gathered (complete.hpp): so who executes what others have published reads nothing of the parent,
// whose owner writes that line for each child.
void child_complete(Member& me, Task& parent, TaskGroup* group, bool is_mine) {
  if (is_mine && parent.owner.load() == me.number) {
    leave_group(*me.team, group, 1);
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

void count_completed(Completion& where, Task& parent, TaskGroup* group, bool is_mine) {
  if (where.member != nullptr) {
    child_complete(*where.member, parent, group, is_mine);
  } else {
    announce_completed(where.team, where.cache, parent, group, 1);
    where.team.finished_outside.add(1);
  }
}

}  // namespace

Task* complete(Completion& where, Task& task) {
  HEDDLE_ASSERT(task.is_valid());
  Task& parent = *task.parent;
  TaskGroup* const group = group_of(task);
  const bool is_mine = where.member != nullptr && task.creator == where.member->number;
  if ((task.flags & Task::kHasExclusions) != 0)
    return_exclusions(task, [&](Task& ready) { hand_out(where, ready); });
  Task* const successor = leave(where, task);
  count_completed(where, parent, group, is_mine);
  return successor;
}

Task* complete_relay(Completion& where, Task& relay) {
  relay.next = std::exchange(where.relays, &relay);
  return complete_relays(where, nullptr);
}

void leave_undeferred(Member& me, Task& task) {
  Completion where{*me.team, *me.cache, &me};
  // No table names it. Relays may wait for it, where it is transparent and has an event.
  if (Task* const successor = leave(where, task)) [[unlikely]]
    make_ready(me, *successor);
}

void announce_completions(Member& me) {
  Completions& gathered = me.completions;
  if (gathered.count == 0) return;
  const std::uint32_t count = std::exchange(gathered.count, 0);
  announce_completed(*me.team, *me.cache, *gathered.parent, gathered.group, count);
  count_finished(me, count);
}

}  // namespace heddle
