#include "tasking/cancellation.hpp"

#include "icv/settings.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

bool is_group_cancelled(const TaskGroup* group) {
  for (; group != nullptr; group = group->outer)
    if (group->is_cancelled.seen()) return true;
  return false;
}

void discard_tasks(Team& team) {
  if (!team.discards_tasks.exchange(true)) team.add_reason(Reason::kDiscards);
}

}  // namespace

bool cancel(Member& me, CancelConstruct construct) {
  if (!settings().is_cancellable) return false;
  Team& team = *me.team;
  switch (construct) {
    case CancelConstruct::kParallel:
      discard_tasks(team);
      team.is_cancelled = true;  // no sleeper misses it: Parking orders it before its look for sleepers
      team.parking.wake_all(me.team_size);
      return true;
    case CancelConstruct::kWorkshare:
      team.cancelled_workshare = workshare_number(me);
      return true;
    case CancelConstruct::kTaskgroup: {
      TaskGroup* group = me.context.task->group;
      if (group == nullptr) return false;
      while (group->is_of_construct && group->outer != nullptr) group = group->outer;
      group->is_cancelled = true;
      discard_tasks(team);
      return true;
    }
  }
  return false;
}

void keep_tasks(Team& team) {
  if (!team.discards_tasks.load()) [[likely]]
    return;
  team.discards_tasks.store(false);
  team.remove_reason(Reason::kDiscards);
}

bool is_cancelled(const Member& me, CancelConstruct construct) {
  if (!settings().is_cancellable) return false;
  const Team& team = *me.team;
  switch (construct) {
    case CancelConstruct::kParallel:
      return team.is_cancelled.seen();
    case CancelConstruct::kWorkshare:
      return is_workshare_cancelled(me);
    case CancelConstruct::kTaskgroup:
      return is_group_cancelled(me.context.task->group) || team.is_cancelled.seen();
  }
  return false;
}

bool is_task_cancelled(const Team& team, const Task& task) {
  if (task.is_detachable() || (task.flags & Task::kHasBegun) != 0) return false;
  return team.is_cancelled.seen() || is_group_cancelled(task.group);
}

void forget_cancellation(Team& team) {
  for (std::size_t i = 0; i < team.workshares.size(); ++i) {
    Workshare& ws = team.workshares[i];
    if (ws.dispose != nullptr) ws.dispose(ws.shared);
    ws.dispose = nullptr;
    ws.shared = nullptr;
    ws.turn.restart(i);
  }
  team.members[0].loop.turn = 0;  // the next region's members start from their master's counts
  team.members[0].singles_met = 0;
  team.singles_claimed.store(0);
  team.cancellable_barrier.abandon();
  team.is_cancelled = false;
}

}  // namespace heddle
