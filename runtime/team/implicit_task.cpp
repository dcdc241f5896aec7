#include "team/implicit_task.hpp"

#include "team/tool_events.hpp"

namespace heddle {

void take_place(Worker& worker, Member& place) {
  place.worker = &worker;
  place.cache = &worker.cache;
  worker.member = &place;
}

void start_implicit_task(Member& place) {
  Team& team = *place.team;
  auto* task = new (&place.implicit_task) ImplicitTask;
  task->flags = Task::kImplicit | (team.is_in_final_task ? unsigned{Task::kFinal} : 0u);
  task->place = &place;
  task->environment = &team.environment;
  task->owner.store(static_cast<std::uint16_t>(place.number), std::memory_order_relaxed);
  place.environments.forget();
  if (team.order != nullptr) [[unlikely]]
    team.order->begin_implicit(*task, team.encountering != nullptr ? place.number : place.worker->id);
  place.context = {.task = task};
  place.team_size = team.size;
  if (!place.requests.task.is_empty()) [[unlikely]] {
    place.requests.task = {};
    place.reasons.remove(Reason::kRequest);
  }
  place.hold_at = 0;
  place.policy.alone.forget_creator(*task);
  place.requests.threads = 0;
  place.loop = {};
  place.loop.turn = team.first_turn;
  place.loop.barriers = team.first_barrier;
  place.singles_met = team.first_single;
  if (has_tool()) [[unlikely]]
    tell_implicit_task_begins(place);
}

}  // namespace heddle
