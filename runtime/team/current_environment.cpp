#include "team/current_environment.hpp"

namespace heddle {
namespace {

// No task but the current one can have the current environment.
bool is_alone(const Member& me) {
  const Team& team = *me.team;
  if (!me.context.task->is_implicit()) return false;
  return !team.has_tasks.load(std::memory_order_relaxed) || (me.team_size == 1 && team.is_quiescent());
}

}  // namespace

const DataEnvironment& environment_of(const Member& me) {
  return *me.context.task->environment;
}

void set_environment(Member& me, const DataEnvironment& wanted) {
  if (wanted == environment_of(me)) return;
  if (me.environments.keeps(me.context.task->environment) && is_alone(me)) me.environments.forget();
  me.context.task->environment = &me.environments.keep(wanted);
}

}  // namespace heddle
