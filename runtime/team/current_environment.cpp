#include "team/current_environment.hpp"

namespace heddle {
namespace {

// No task but the current one can have the current environment.
bool is_alone(const Member& me) {
  const Team& team = *me.team;
  if (!me.current->is_implicit()) return false;
  return !team.has_tasks.load(std::memory_order_relaxed) || (me.team_size == 1 && team.is_quiescent());
}

}  // namespace

const DataEnvironment& environment_of(const Member& me) {
  return *me.current->environment;
}

void set_environment(Member& me, const DataEnvironment& wanted) {
  if (wanted == environment_of(me)) return;
  if (me.environments.keeps(me.current->environment) && is_alone(me)) me.environments.forget();
  me.current->environment = &me.environments.keep(wanted);
}

}  // namespace heddle
