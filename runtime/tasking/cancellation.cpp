#include "tasking/cancellation.hpp"

#include "icv/settings.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

bool is_group_cancelled(const TaskGroup* group) {
  for (; group != nullptr; group = group->outer)
    if (group->is_cancelled.load(std::memory_order_relaxed)) return true;
  return false;
}

void discard_tasks(Team& team) {
  if (!team.discards_tasks.exchange(true, std::memory_order_relaxed)) team.add_reason(Reason::kDiscards);
}

}  // namespace

bool cancel(Member& me, CancelConstruct construct) {
  if (!settings().is_cancellable) return false;
  Team& team = *me.team;
  switch (construct) {
    case CancelConstruct::kParallel:
      discard_tasks(team);
      team.is_cancelled.store(true, std::memory_order_seq_cst);  // before the look for sleepers
      team.parking.wake_all(me.team_size);
      return true;
    case CancelConstruct::kWorkshare:
      team.cancelled_workshare.store(workshare_number(me), std::memory_order_relaxed);
      return true;
    case CancelConstruct::kTaskgroup: {
      TaskGroup* group = me.context.task->group;
      if (group == nullptr) return false;
      while (group->is_of_construct && group->outer != nullptr) group = group->outer;
      group->is_cancelled.store(true, std::memory_order_relaxed);
      discard_tasks(team);
      return true;
    }
  }
  return false;
}

void keep_tasks(Team& team) {
  if (!team.discards_tasks.load(std::memory_order_relaxed)) [[likely]]
    return;
  team.discards_tasks.store(false, std::memory_order_relaxed);
  team.remove_reason(Reason::kDiscards);
}

bool is_cancelled(const Member& me, CancelConstruct construct) {
  if (!settings().is_cancellable) return false;
  const Team& team = *me.team;
  switch (construct) {
    case CancelConstruct::kParallel:
      return team.is_cancelled.load(std::memory_order_relaxed);
    case CancelConstruct::kWorkshare:
      return is_workshare_cancelled(me);
    case CancelConstruct::kTaskgroup:
      return is_group_cancelled(me.context.task->group) || team.is_cancelled.load(std::memory_order_relaxed);
  }
  return false;
}

bool is_task_cancelled(const Team& team, const Task& task) {
  if (task.is_detachable() || (task.flags & Task::kHasBegun) != 0) return false;
  return team.is_cancelled.load(std::memory_order_relaxed) || is_group_cancelled(task.group);
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
  team.singles_claimed.store(0, std::memory_order_relaxed);
  team.cancellable_barrier.reset();
  team.is_cancelled.store(false, std::memory_order_relaxed);
}

}  // namespace heddle
