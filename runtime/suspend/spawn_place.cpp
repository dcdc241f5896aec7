#include "suspend/spawn_place.hpp"

#include <memory>

#include "icv/settings.hpp"
#include "team/implicit_task.hpp"

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

}  // namespace heddle
