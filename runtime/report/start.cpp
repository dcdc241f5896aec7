#include "report/start.hpp"

#include <cstdio>

#include "fiber/stack_pool.hpp"
#include "icv/settings.hpp"
#include "region/fork_join.hpp"
#include "replay/taskgraph.hpp"
#include "report/policy_log.hpp"
#include "report/report_places.hpp"
#include "report/watchdog.hpp"
#include "sync/process_lock.hpp"
#include "sys/backtrace.hpp"
#include "sys/fatal.hpp"
#include "sys/loaded_objects.hpp"
#include "sys/memory.hpp"
#include "sys/stack_overflow.hpp"
#include "tasking/work.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

// Its guard is its lowest page, which alone may not be touched.
StackRange stack_of_task_at(const void* address) {
  for (const FiberStack* stack = newest_stack(); stack != nullptr; stack = stack->older) {
    const char* const bottom = static_cast<const char*>(stack->bottom);
    if (address >= bottom && address < bottom + page_bytes()) return {bottom, stack->bytes};
  }
  return {};
}

void write_what_this_thread_executes(char* text, std::size_t bytes) {
  const Member* const place = known_member();
  const Task* const task = place != nullptr ? place->context.task : nullptr;
  if (task == nullptr || (task->is_implicit() && place->team->level == 0)) {
    std::snprintf(text, bytes, "a thread of the program");
  } else if (task->is_implicit()) {
    std::snprintf(text, bytes, "thread %d of a parallel region", place->number);
  } else {
    const int length = std::snprintf(text, bytes, "the task at ");
    write_code_place(code_of(*task), text + length, bytes - static_cast<std::size_t>(length));
  }
}

// From now on the program says which task, or which thread, has used up its stack, before it ends by that.
void report_stack_overflows() {
  name_stack_overflows({.stack_at = stack_of_task_at,
                        .what = write_what_this_thread_executes,
                        .advice = "set OMP_STACKSIZE to more"});
}

std::span<const char* const> g_prefixes;
const char* g_except = nullptr;

// Ends the program where something that is loaded calls an OpenMP function that is missing here and that
// another runtime has: it would be served there, without a word and wrongly: two runtimes in one process do
// not know of each other's threads, tasks and locks. Cost: some 50 microseconds.
void refuse_second_runtime() {
  for (const Need& need : needs_beginning_with(g_prefixes)) {
    if (need.function.starts_with(g_except) || is_ours(need.function) || !is_served(need)) continue;
    fatal(
        "%s calls %s, which Heddle does not have, and another OpenMP runtime here has; they would not know "
        "of each other's threads: run it on gnu or llvm",
        need.object.empty() ? "the program" : need.object.c_str(), need.function.c_str());
  }
}

void at_first_use() {
  refuse_second_runtime();
  report_stack_overflows();
  start_watchdog();
  if (settings().logs_policy) log_policy();
}

}  // namespace

void set_compilers_prefixes(std::span<const char* const> prefixes, const char* except) {
  g_prefixes = prefixes;
  g_except = except;
}

void connect_rooms() {
  hold_process_locks_over_fork();  // before other handlers of fork(): see sync/process_lock.hpp
  connect_tasking_to_suspend();
  connect_replay_to_team();
  connect_region_to_team(&at_first_use);
}

}  // namespace heddle
