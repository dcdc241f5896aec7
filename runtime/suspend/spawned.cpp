#include "suspend/spawned.hpp"

#include <algorithm>
#include <memory>

#include "base/published.hpp"
#include "icv/settings.hpp"
#include "suspend/suspension.hpp"
#include "suspend/work.hpp"
#include "sys/machine.hpp"
#include "team/team.hpp"
#include "team/workers.hpp"

namespace heddle {

Member& spawn_place(Worker& worker) {
  if (worker.spawn_team == nullptr) [[unlikely]] {
    Member* const here = worker.member;
    worker.spawn_team = std::make_unique<Team>(1);
    Team& team = *worker.spawn_team;
    team.environment = settings().initial;
    take_place(worker, team.members[0]);
    start_implicit_task(team.members[0]);
    worker.member = here;
  }
  return worker.spawn_team->members[0];
}

bool has_work_in_spawn_place(const Member& place) {
  if (place.suspended.count != 0) return true;
  // What waits for predecessors elsewhere becomes ready there.
  const Team& team = *place.team;
  return team.order == nullptr ? !team.ready.looks_empty(1) : !team.is_quiescent();
}

void spawn(Member& me, void (*body)(void*), void* argument, void (*completed)(void*),
           void* completed_argument, const char* label) {
  auto* const spawned = new SpawnedTask;
  spawned->body = body;
  spawned->argument = argument;
  spawned->completed = completed;
  spawned->completed_argument = completed_argument;
  if (label != nullptr) spawned->label = label;
  spawned->task.flags = Task::kImplicit;
  spawned->task.place = &me;
  spawned->task.spawned = spawned;
  spawned->task.group = &spawned->descendants;
  spawned->external.task = &spawned->task;
  spawned->external.spawned = spawned;
  add_spawned(*spawned, environment_of(me));
  for (const Member* place = &me; place != nullptr; place = outer_place(*place))
    place->team->parking.wake_one(place->team_size);
}

namespace {

bool run_spawned(Member& from, Member& place, std::int64_t now) {
  SpawnedTask* const spawned = take_spawned(now);
  if (spawned == nullptr) return false;
  // What it creates here belongs to this team. It has no owner: it may go on elsewhere, in a place of the
  // same number.
  spawned->task.place = &place;
  spawned->task.environment = spawned->environment;
  go_on_in(from, place, *spawned);
  return true;
}

}  // namespace

bool poll_spawned(Member& me, std::int64_t now) {
  Worker& worker = *me.worker;
  Member& place = spawn_place(worker);
  if (&me == &place) return run_spawned(me, me, now);
  Published<Member*>& visitor = place.team->visitor;
  Member* const before = visitor;
  visitor = &me;  // seen in outer_place()
  worker.member = &place;
  bool was_any = false;
  if (before == nullptr) {  // not inside a region of a spawned task
    was_any = wake_sleepers(place, now);
    was_any |= let_next_go_on_in(me, place);
    if (Task* const task = work().find(place)) {
      run_on_own_stack_in(me, place, *task);
      was_any = true;
    }
  }
  was_any |= run_spawned(me, place, now);
  worker.member = &me;
  visitor = before;
  return was_any;
}

std::int64_t next_due_in_spawn_place(const Member& me) {
  constexpr std::int64_t kLongestNs = 1'000'000;  // a thread that lets a task there go on wakes nobody
  const Team* const team = me.worker->spawn_team.get();
  if (team == nullptr || team == me.team || team->visitor != nullptr) return INT64_MAX;
  const Member& place = team->members[0];
  if (!has_work_in_spawn_place(place)) return INT64_MAX;
  return std::min(next_sleeper_due(place), monotonic_ns() + kLongestNs);
}

void block_spawned(SpawnedTask& spawned) {
  if (begins_to_block(spawned)) leave_spawned(spawned);
}

void sleep_spawned(SpawnedTask& spawned, std::int64_t ns) {
  spawned.due = monotonic_ns() + ns;
  spawned.state = SpawnedTask::State::kLeavesToSleep;
  leave_spawned(spawned);
}

}  // namespace heddle
