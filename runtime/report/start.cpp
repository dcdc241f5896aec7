#include "report/start.hpp"

#include "region/fork_join.hpp"
#include "replay/taskgraph.hpp"
#include "report/watchdog.hpp"
#include "tasking/work.hpp"

namespace heddle {

void connect_rooms() {
  connect_tasking_to_suspend();
  connect_replay_to_team();
  connect_region_to_team(&start_watchdog);
}

}  // namespace heddle
