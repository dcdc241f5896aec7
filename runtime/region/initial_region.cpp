#include "region/initial_region.hpp"

#include <algorithm>

#include "icv/settings.hpp"
#include "region/fork_join.hpp"
#include "team/current_environment.hpp"
#include "team/team.hpp"

namespace heddle {

void run_as_initial_thread(void (*body)(void*), void* argument, int thread_limit) {
  Member& place = open_serial_region();
  Team& team = *place.team;
  // The next region at this depth writes both anew.
  team.level = 0;
  team.active_level = 0;
  team.league = {};
  team.contention_group = &team.own_contention_group;
  Task& task = *place.context.task;
  task.flags.clear(Task::kFinal);
  DataEnvironment environment = settings().initial;
  if (settings().num_threads.size() > 1)
    team.num_threads_list = settings().num_threads;
  else
    team.num_threads_list.clear();
  environment.default_device =
      environment_of(place).default_device;  // the program's choice, not a device's own
  if (thread_limit > 0) environment.thread_limit = std::min(thread_limit, environment.thread_limit);
  set_environment(place, environment);
  body(argument);
  close_serial_region();
}

}  // namespace heddle
