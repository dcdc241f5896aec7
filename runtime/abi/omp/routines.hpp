// Routines of the standard that other entry points of this library forward to; the files that define them
// include this, so that the two agree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/export.hpp"

HEDDLE_EXPORT void omp_set_num_threads(int threads);
HEDDLE_EXPORT int omp_get_num_threads();
HEDDLE_EXPORT int omp_get_max_threads();
HEDDLE_EXPORT int omp_get_thread_num();
HEDDLE_EXPORT int omp_get_num_procs();
HEDDLE_EXPORT int omp_in_parallel();
HEDDLE_EXPORT void omp_set_dynamic(int is_dynamic);
HEDDLE_EXPORT int omp_get_dynamic();
HEDDLE_EXPORT int omp_get_cancellation();
HEDDLE_EXPORT void omp_set_nested(int is_nested);
HEDDLE_EXPORT int omp_get_nested();
HEDDLE_EXPORT int omp_get_thread_limit();
HEDDLE_EXPORT int omp_get_supported_active_levels();
HEDDLE_EXPORT void omp_set_max_active_levels(int levels);
HEDDLE_EXPORT int omp_get_max_active_levels();
HEDDLE_EXPORT int omp_get_level();
HEDDLE_EXPORT int omp_get_active_level();
HEDDLE_EXPORT int omp_get_ancestor_thread_num(int level);
HEDDLE_EXPORT int omp_get_team_size(int level);
HEDDLE_EXPORT int omp_get_proc_bind();
HEDDLE_EXPORT int omp_get_num_places();
HEDDLE_EXPORT int omp_get_place_num_procs(int number);
HEDDLE_EXPORT void omp_get_place_proc_ids(int number, int* ids);
HEDDLE_EXPORT int omp_get_place_num();
HEDDLE_EXPORT int omp_get_partition_num_places();
HEDDLE_EXPORT void omp_get_partition_place_nums(int* numbers);
HEDDLE_EXPORT int omp_get_num_teams();
HEDDLE_EXPORT int omp_get_team_num();
HEDDLE_EXPORT void omp_set_num_teams(int teams);
HEDDLE_EXPORT int omp_get_max_teams();
HEDDLE_EXPORT void omp_set_teams_thread_limit(int threads);
HEDDLE_EXPORT int omp_get_teams_thread_limit();
HEDDLE_EXPORT void omp_display_env(int is_verbose);
HEDDLE_EXPORT double omp_get_wtime();
HEDDLE_EXPORT double omp_get_wtick();

HEDDLE_EXPORT int omp_in_final();
HEDDLE_EXPORT int omp_in_explicit_task();
HEDDLE_EXPORT int omp_get_max_task_priority();
HEDDLE_EXPORT void omp_fulfill_event(void* event);
HEDDLE_EXPORT void omp_set_schedule(int kind, int chunk);
HEDDLE_EXPORT void omp_get_schedule(int* kind, int* chunk);

HEDDLE_EXPORT int omp_pause_resource(int kind, int device);
HEDDLE_EXPORT int omp_pause_resource_all(int kind);

HEDDLE_EXPORT int omp_is_initial_device();
HEDDLE_EXPORT int omp_get_num_devices();
HEDDLE_EXPORT int omp_get_initial_device();
HEDDLE_EXPORT int omp_get_device_num();
HEDDLE_EXPORT void omp_set_default_device(int device);
HEDDLE_EXPORT int omp_get_default_device();

HEDDLE_EXPORT const char* omp_get_uid_from_device(int device);
HEDDLE_EXPORT int omp_get_device_from_uid(const char* uid);

HEDDLE_EXPORT int omp_get_num_interop_properties(const void* interop);
HEDDLE_EXPORT std::intptr_t omp_get_interop_int(const void* interop, int property, int* code);
HEDDLE_EXPORT void* omp_get_interop_ptr(const void* interop, int property, int* code);
HEDDLE_EXPORT const char* omp_get_interop_str(const void* interop, int property, int* code);
HEDDLE_EXPORT const char* omp_get_interop_name(const void* interop, int property);
HEDDLE_EXPORT const char* omp_get_interop_type_desc(const void* interop, int property);
HEDDLE_EXPORT const char* omp_get_interop_rc_desc(const void* interop, int code);

HEDDLE_EXPORT void omp_init_lock(void* lock);
HEDDLE_EXPORT void omp_init_lock_with_hint(void* lock, int hint);
HEDDLE_EXPORT void omp_destroy_lock(void* lock);
HEDDLE_EXPORT void omp_set_lock(void* lock);
HEDDLE_EXPORT void omp_unset_lock(void* lock);
HEDDLE_EXPORT int omp_test_lock(void* lock);
HEDDLE_EXPORT void omp_init_nest_lock(void* lock);
HEDDLE_EXPORT void omp_init_nest_lock_with_hint(void* lock, int hint);
HEDDLE_EXPORT void omp_destroy_nest_lock(void* lock);
HEDDLE_EXPORT void omp_set_nest_lock(void* lock);
HEDDLE_EXPORT void omp_unset_nest_lock(void* lock);
HEDDLE_EXPORT int omp_test_nest_lock(void* lock);

HEDDLE_EXPORT std::uintptr_t omp_init_allocator(std::uintptr_t space, int count, const void* traits);
HEDDLE_EXPORT void omp_destroy_allocator(std::uintptr_t allocator);
HEDDLE_EXPORT void omp_set_default_allocator(std::uintptr_t allocator);
HEDDLE_EXPORT std::uintptr_t omp_get_default_allocator();
HEDDLE_EXPORT void* omp_realloc(void* block, std::size_t bytes, std::uintptr_t allocator,
                                std::uintptr_t free_allocator);
