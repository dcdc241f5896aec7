// Tasks and schedules: OpenMP 5.2, sections 18.3, 18.5 and 18.11.
#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "icv/settings.hpp"
#include "tasking/detach.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

// omp_sched_t; the highest bit is omp_sched_monotonic.
constexpr unsigned kMonotonic = 0x80000000u;

}  // namespace

HEDDLE_EXPORT int omp_in_final() {
  return this_member().context.task->is_final();
}
HEDDLE_EXPORT int omp_in_explicit_task() {
  return !this_member().context.task->is_implicit();
}
HEDDLE_EXPORT int omp_get_max_task_priority() {
  return settings().max_task_priority;
}
HEDDLE_EXPORT void omp_fulfill_event(void* event) {
  fulfill_event(event);
}

HEDDLE_EXPORT void omp_set_schedule(int kind, int chunk) {
  const unsigned bare = static_cast<unsigned>(kind) & ~kMonotonic;
  const bool is_known = (bare >= 1 && bare <= 4) || bare == static_cast<unsigned>(ScheduleKind::kTrapezoidal);
  if (!is_known) return;  // implementation defined: an unknown kind changes nothing
  DataEnvironment environment = environment_of(this_member());
  environment.run_kind = static_cast<ScheduleKind>(bare);
  environment.run_chunk = bare == 4 ? 0 : chunk < 1 ? default_chunk(environment.run_kind) : chunk;
  environment.run_monotonic = (static_cast<unsigned>(kind) & kMonotonic) != 0;
  environment.has_run_schedule = true;
  set_environment(this_member(), environment);
}

namespace {

// What was chosen is the same for all programs; what is reported where nobody chose, or where a chunk means
// nothing, differs between the compilers' own runtimes, and programs compare it.
void get_schedule(int* kind, int* chunk, ScheduleKind otherwise) {
  const DataEnvironment& environment = environment_of(this_member());
  const ScheduleKind chosen = environment.has_run_schedule ? environment.run_kind : otherwise;
  *kind = static_cast<int>(static_cast<unsigned>(chosen) | (environment.run_monotonic ? kMonotonic : 0));
  *chunk = chosen == ScheduleKind::kAuto  ? 1
           : environment.has_run_schedule ? environment.run_chunk
                                          : default_chunk(chosen);
}

}  // namespace

HEDDLE_EXPORT void omp_get_schedule(int* kind, int* chunk) {
  get_schedule(kind, chunk, ScheduleKind::kDynamic);
}
HEDDLE_EXPORT void omp_get_schedule_of_clang(int* kind, int* chunk) {
  get_schedule(kind, chunk, ScheduleKind::kStatic);
}

HEDDLE_OMP_VERSIONS(omp_in_final);
HEDDLE_OMP_VERSIONS(omp_in_explicit_task);
HEDDLE_OMP_VERSIONS(omp_get_max_task_priority);
HEDDLE_OMP_VERSIONS(omp_fulfill_event);
HEDDLE_OMP_VERSIONS(omp_set_schedule);
HEDDLE_OMP_VERSIONS_DIFFER(omp_get_schedule, omp_get_schedule_of_clang);
