#include "report/start.hpp"

#include "icv/settings.hpp"
#include "region/fork_join.hpp"
#include "replay/taskgraph.hpp"
#include "report/overflow_report.hpp"
#include "report/report_places.hpp"
#include "report/second_runtime.hpp"
#include "report/watchdog.hpp"
#include "sync/process_lock.hpp"
#include "tasking/policy_log.hpp"
#include "tasking/work.hpp"

namespace heddle {
namespace {

void at_first_use() {
  refuse_second_runtime();
  report_stack_overflows();
  start_watchdog();
  if (settings().logs_policy) log_policy(&code_of);
}

}  // namespace

void connect_rooms() {
  hold_process_locks_over_fork();  // before other handlers of fork(): see sync/process_lock.hpp
  connect_tasking_to_suspend();
  connect_replay_to_team();
  connect_region_to_team(&at_first_use);
}

}  // namespace heddle
