// Threads, teams, levels, tasks, schedules, devices, time: gfortran's entry points.
#include "abi/omp/fortran.hpp"

HEDDLE_FORTRAN_OF_INTEGER(void, omp_set_num_threads);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_num_threads);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_max_threads);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_thread_num);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_num_procs);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_in_parallel);
HEDDLE_FORTRAN_OF_LOGICAL(omp_set_dynamic);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_dynamic);
HEDDLE_FORTRAN_OF_LOGICAL(omp_set_nested);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_nested);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_cancellation);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_thread_limit);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_supported_active_levels);
HEDDLE_FORTRAN_OF_INTEGER(void, omp_set_max_active_levels);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_max_active_levels);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_level);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_active_level);
HEDDLE_FORTRAN_OF_INTEGER(std::int32_t, omp_get_ancestor_thread_num);
HEDDLE_FORTRAN_OF_INTEGER(std::int32_t, omp_get_team_size);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_proc_bind);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_num_teams);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_team_num);
HEDDLE_FORTRAN_OF_INTEGER(void, omp_set_num_teams);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_max_teams);
HEDDLE_FORTRAN_OF_INTEGER(void, omp_set_teams_thread_limit);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_teams_thread_limit);
HEDDLE_FORTRAN_OF_LOGICAL(omp_display_env);

HEDDLE_FORTRAN_QUERY(std::int32_t, omp_in_final);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_in_explicit_task);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_max_task_priority);

// No wide forms: the arguments are constants of omp_lib.
HEDDLE_EXPORT std::int32_t omp_pause_resource_(const std::int32_t* kind, const std::int32_t* device) {
  return omp_pause_resource(*kind, *device);
}
HEDDLE_EXPORT std::int32_t omp_pause_resource_all_(const std::int32_t* kind) {
  return omp_pause_resource_all(*kind);
}
HEDDLE_OMP_VERSIONS(omp_pause_resource_);
HEDDLE_OMP_VERSIONS(omp_pause_resource_all_);

HEDDLE_FORTRAN_QUERY(std::int32_t, omp_is_initial_device);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_num_devices);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_initial_device);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_device_num);
HEDDLE_FORTRAN_OF_INTEGER(void, omp_set_default_device);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_default_device);

HEDDLE_FORTRAN_QUERY(double, omp_get_wtime);
HEDDLE_FORTRAN_QUERY(double, omp_get_wtick);

// The event's handle is the one argument that omp_lib declares with the value attribute.
HEDDLE_EXPORT void omp_fulfill_event_(void* event) {
  omp_fulfill_event(event);
}

// The kind of a schedule is of the default integer kind in both.
HEDDLE_EXPORT void omp_set_schedule_(const std::int32_t* kind, const std::int32_t* chunk) {
  omp_set_schedule(*kind, *chunk);
}
HEDDLE_EXPORT void omp_set_schedule_8_(const std::int32_t* kind, const std::int64_t* chunk) {
  omp_set_schedule(*kind, heddle::narrow(*chunk));
}
HEDDLE_EXPORT void omp_get_schedule_(std::int32_t* kind, std::int32_t* chunk) {
  omp_get_schedule(kind, chunk);
}
HEDDLE_EXPORT void omp_get_schedule_8_(std::int32_t* kind, std::int64_t* chunk) {
  int narrow_chunk = 0;
  omp_get_schedule(kind, &narrow_chunk);
  *chunk = narrow_chunk;
}

HEDDLE_OMP_VERSIONS(omp_fulfill_event_);
HEDDLE_OMP_VERSIONS(omp_set_schedule_);
HEDDLE_OMP_VERSIONS(omp_set_schedule_8_);
HEDDLE_OMP_VERSIONS(omp_get_schedule_);
HEDDLE_OMP_VERSIONS(omp_get_schedule_8_);
