/* omp-tools.h: OMPT, the interface between an OpenMP runtime and the tools that observe it, for C and C++.
 *
 * A tool defines ompt_start_tool(). The runtime calls it once, when it starts, and then the initialize() that
 * it returns, with a lookup() that finds entry points by their names. There the tool asks for
 * ompt_set_callback and sets the callbacks that it wants.
 *
 * Names, numbers and layouts are those of LLVM's OpenMP as well, so a tool need not be compiled again.
 * Everywhere codeptr_ra is the address to which the runtime returns from the call that the construct was
 * compiled to, or null.
 *
 * Source: OpenMP 5.2, chapter 19; ompt_work_loop_* are those of OpenMP 6.0. OMPD, chapter 20, is not here.
 */
#ifndef OMP_TOOLS_H
#define OMP_TOOLS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Enumerations and constants ---------------------------------------------------------------------------
 */

/* clang-format off */

/* The events. The callback's type is the event's name with _t, but ompt_callback_sync_region_t of
 * sync_region_wait and reduction, ompt_callback_mutex_acquire_t of lock_init, and ompt_callback_mutex_t of
 * lock_destroy, mutex_acquired and mutex_released. master: what masked was before OpenMP 5.1. */
typedef enum ompt_callbacks_t {
  ompt_callback_thread_begin = 1, ompt_callback_thread_end = 2, ompt_callback_parallel_begin = 3,
  ompt_callback_parallel_end = 4, ompt_callback_task_create = 5, ompt_callback_task_schedule = 6,
  ompt_callback_implicit_task = 7, ompt_callback_target = 8, ompt_callback_target_data_op = 9,
  ompt_callback_target_submit = 10, ompt_callback_control_tool = 11, ompt_callback_device_initialize = 12,
  ompt_callback_device_finalize = 13, ompt_callback_device_load = 14, ompt_callback_device_unload = 15,
  ompt_callback_sync_region_wait = 16, ompt_callback_mutex_released = 17, ompt_callback_dependences = 18,
  ompt_callback_task_dependence = 19, ompt_callback_work = 20, ompt_callback_masked = 21,
  ompt_callback_master = 21, ompt_callback_target_map = 22, ompt_callback_sync_region = 23,
  ompt_callback_lock_init = 24, ompt_callback_lock_destroy = 25, ompt_callback_mutex_acquire = 26,
  ompt_callback_mutex_acquired = 27, ompt_callback_nest_lock = 28, ompt_callback_flush = 29,
  ompt_callback_cancel = 30, ompt_callback_reduction = 31, ompt_callback_dispatch = 32,
  ompt_callback_target_emi = 33, ompt_callback_target_data_op_emi = 34,
  ompt_callback_target_submit_emi = 35, ompt_callback_target_map_emi = 36, ompt_callback_error = 37
} ompt_callbacks_t;

/* How often the runtime will make the callback, or write the record, that the tool asked for. */
typedef enum ompt_set_result_t {
  ompt_set_error = 0,            /* the request was wrong */
  ompt_set_never = 1,            /* the event does not occur, or is not reported */
  ompt_set_impossible = 2,       /* the event may occur, but cannot be reported */
  ompt_set_sometimes = 3,        /* for some of the events */
  ompt_set_sometimes_paired = 4, /* so, but for begin and end alike */
  ompt_set_always = 5
} ompt_set_result_t;

/* Of the events that enclose something; beginend: both at once. */
typedef enum ompt_scope_endpoint_t {
  ompt_scope_begin = 1, ompt_scope_end = 2, ompt_scope_beginend = 3
} ompt_scope_endpoint_t;

/* What a thread does. A runtime may have more: ompt_enumerate_states_t. wait_barrier and
 * wait_barrier_implicit are those of OpenMP 5.0; wait_mutex: of any kind; idle: without a region;
 * overhead: in the runtime, but not waiting; undefined: the thread is none of the runtime's. */
typedef enum ompt_state_t {
  ompt_state_work_serial = 0x000, ompt_state_work_parallel = 0x001, ompt_state_work_reduction = 0x002,
  ompt_state_wait_barrier = 0x010, ompt_state_wait_barrier_implicit_parallel = 0x011,
  ompt_state_wait_barrier_implicit_workshare = 0x012, ompt_state_wait_barrier_implicit = 0x013,
  ompt_state_wait_barrier_explicit = 0x014, ompt_state_wait_barrier_implementation = 0x015,
  ompt_state_wait_barrier_teams = 0x016, ompt_state_wait_taskwait = 0x020,
  ompt_state_wait_taskgroup = 0x021, ompt_state_wait_mutex = 0x040, ompt_state_wait_lock = 0x041,
  ompt_state_wait_critical = 0x042, ompt_state_wait_atomic = 0x043, ompt_state_wait_ordered = 0x044,
  ompt_state_wait_target = 0x080, ompt_state_wait_target_map = 0x081, ompt_state_wait_target_update = 0x082,
  ompt_state_idle = 0x100, ompt_state_overhead = 0x101, ompt_state_undefined = 0x102
} ompt_state_t;

/* Whose the frame is (one of the first two) and what its address is (one of the others). */
typedef enum ompt_frame_flag_t {
  ompt_frame_runtime = 0x00, ompt_frame_application = 0x01,
  ompt_frame_cfa = 0x10,          /* the canonical frame address */
  ompt_frame_framepointer = 0x20, /* what the frame pointer register holds */
  ompt_frame_stackaddress = 0x30  /* somewhere in the frame */
} ompt_frame_flag_t;

/* other: one of the runtime that executes no tasks. */
typedef enum ompt_thread_t {
  ompt_thread_initial = 1, ompt_thread_worker = 2, ompt_thread_other = 3, ompt_thread_unknown = 4
} ompt_thread_t;

/* Who calls the region's code, and which construct it is. league: teams; team: parallel. */
__extension__ typedef enum ompt_parallel_flag_t {
  ompt_parallel_invoker_program = 0x00000001, ompt_parallel_invoker_runtime = 0x00000002,
  ompt_parallel_league = 0x40000000, ompt_parallel_team = 0x80000000
} ompt_parallel_flag_t;

/* single_other: single, in the threads that do not execute it. loop: of a schedule that is not told. */
typedef enum ompt_work_t {
  ompt_work_loop = 1, ompt_work_sections = 2, ompt_work_single_executor = 3, ompt_work_single_other = 4,
  ompt_work_workshare = 5, ompt_work_distribute = 6, ompt_work_taskloop = 7, ompt_work_scope = 8,
  ompt_work_loop_static = 10, ompt_work_loop_dynamic = 11, ompt_work_loop_guided = 12,
  ompt_work_loop_other = 13
} ompt_work_t;

/* What instance is of the pieces that a thread is given. */
typedef enum ompt_dispatch_t {
  ompt_dispatch_iteration = 1,     /* value: its number */
  ompt_dispatch_section = 2,       /* ptr: its code */
  ompt_dispatch_ws_loop_chunk = 3, /* from here on ptr: an ompt_dispatch_chunk_t */
  ompt_dispatch_taskloop_chunk = 4, ompt_dispatch_distribute_chunk = 5
} ompt_dispatch_t;

/* One of the kinds, and any of the others. */
__extension__ typedef enum ompt_task_flag_t {
  ompt_task_initial = 0x00000001, ompt_task_implicit = 0x00000002, ompt_task_explicit = 0x00000004,
  ompt_task_target = 0x00000008,
  ompt_task_taskwait = 0x00000010, /* a taskwait with depend, as a task without code */
  ompt_task_undeferred = 0x08000000, ompt_task_untied = 0x10000000, ompt_task_final = 0x20000000,
  ompt_task_mergeable = 0x40000000, ompt_task_merged = 0x80000000
} ompt_task_flag_t;

/* Why a thread leaves a task. */
typedef enum ompt_task_status_t {
  ompt_task_complete = 1, ompt_task_yield = 2, ompt_task_cancel = 3,
  ompt_task_detach = 4,        /* its code has ended, its event is still open */
  ompt_task_early_fulfill = 5, /* its event is fulfilled, its code has not ended */
  ompt_task_late_fulfill = 6,  /* its event is fulfilled after its code has ended */
  ompt_task_switch = 7, ompt_taskwait_complete = 8
} ompt_task_status_t;

/* source and sink: of doacross. */
typedef enum ompt_dependence_type_t {
  ompt_dependence_type_in = 1, ompt_dependence_type_out = 2, ompt_dependence_type_inout = 3,
  ompt_dependence_type_mutexinoutset = 4, ompt_dependence_type_source = 5, ompt_dependence_type_sink = 6,
  ompt_dependence_type_inoutset = 7,
  ompt_dependence_type_out_all_memory = 34, ompt_dependence_type_inout_all_memory = 35
} ompt_dependence_type_t;

/* What is cancelled, and what becomes of it. */
typedef enum ompt_cancel_flag_t {
  ompt_cancel_parallel = 0x01, ompt_cancel_sections = 0x02, ompt_cancel_loop = 0x04,
  ompt_cancel_taskgroup = 0x08,
  ompt_cancel_activated = 0x10, /* the task cancels */
  ompt_cancel_detected = 0x20,  /* the task finds itself cancelled */
  ompt_cancel_discarded_task = 0x40
} ompt_cancel_flag_t;

/* barrier and barrier_implicit are those of OpenMP 5.0; barrier_implementation: one of the runtime's own. */
typedef enum ompt_sync_region_t {
  ompt_sync_region_barrier = 1, ompt_sync_region_barrier_implicit = 2,
  ompt_sync_region_barrier_explicit = 3, ompt_sync_region_barrier_implementation = 4,
  ompt_sync_region_taskwait = 5, ompt_sync_region_taskgroup = 6, ompt_sync_region_reduction = 7,
  ompt_sync_region_barrier_implicit_workshare = 8, ompt_sync_region_barrier_implicit_parallel = 9,
  ompt_sync_region_barrier_teams = 10
} ompt_sync_region_t;

typedef enum ompt_mutex_t {
  ompt_mutex_lock = 1, ompt_mutex_test_lock = 2, ompt_mutex_nest_lock = 3, ompt_mutex_test_nest_lock = 4,
  ompt_mutex_critical = 5, ompt_mutex_atomic = 6, ompt_mutex_ordered = 7
} ompt_mutex_t;

typedef enum ompt_severity_t { ompt_warning = 1, ompt_fatal = 2 } ompt_severity_t;

typedef enum ompt_target_t {
  ompt_target = 1, ompt_target_enter_data = 2, ompt_target_exit_data = 3, ompt_target_update = 4,
  ompt_target_nowait = 9, ompt_target_enter_data_nowait = 10, ompt_target_exit_data_nowait = 11,
  ompt_target_update_nowait = 12
} ompt_target_t;

typedef enum ompt_target_data_op_t {
  ompt_target_data_alloc = 1, ompt_target_data_transfer_to_device = 2,
  ompt_target_data_transfer_from_device = 3, ompt_target_data_delete = 4, ompt_target_data_associate = 5,
  ompt_target_data_disassociate = 6, ompt_target_data_alloc_async = 17,
  ompt_target_data_transfer_to_device_async = 18, ompt_target_data_transfer_from_device_async = 19,
  ompt_target_data_delete_async = 20
} ompt_target_data_op_t;

typedef enum ompt_target_map_flag_t {
  ompt_target_map_flag_to = 0x01, ompt_target_map_flag_from = 0x02, ompt_target_map_flag_alloc = 0x04,
  ompt_target_map_flag_release = 0x08, ompt_target_map_flag_delete = 0x10,
  ompt_target_map_flag_implicit = 0x20
} ompt_target_map_flag_t;

/* invalid: the cursor is at no record. */
typedef enum ompt_record_t {
  ompt_record_ompt = 1, ompt_record_native = 2, ompt_record_invalid = 3
} ompt_record_t;

typedef enum ompt_record_native_t {
  ompt_record_native_info = 1, ompt_record_native_event = 2
} ompt_record_native_t;

/* Which native events a trace is to have. */
typedef enum ompt_native_mon_flag_t {
  ompt_native_data_motion_explicit = 0x01, ompt_native_data_motion_implicit = 0x02,
  ompt_native_kernel_invocation = 0x04, ompt_native_kernel_execution = 0x08, ompt_native_driver = 0x10,
  ompt_native_runtime = 0x20, ompt_native_overhead = 0x40, ompt_native_idleness = 0x80
} ompt_native_mon_flag_t;

#define ompt_data_none {0}
#define ompt_id_none 0
#define ompt_wait_id_none 0
#define ompt_hwid_none 0
#define ompt_time_none 0
#define ompt_mutex_impl_none 0
#define ompt_addr_none (~0)

/* clang-format on */

/* -- Identifiers and data ---------------------------------------------------------------------------------
 */

typedef uint64_t ompt_id_t;            /* of a thing in the records of a device's trace */
typedef uint64_t ompt_wait_id_t;       /* of a lock or region that a thread waits for */
typedef uint64_t ompt_hwid_t;          /* of a part of a device */
typedef uint64_t ompt_device_time_t;   /* in the device's unit: ompt_translate_time_t */
typedef uint64_t ompt_buffer_cursor_t; /* a place in a trace buffer */
typedef void ompt_buffer_t;
typedef void ompt_device_t;

/* The tool's own word for a thread, parallel region, task or target region. Zero until the tool sets it. */
typedef union ompt_data_t {
  uint64_t value;
  void* ptr;
} ompt_data_t;

/* Where on its thread's stack a task begins and where it is in the runtime; both null where it is not. */
typedef struct ompt_frame_t {
  ompt_data_t exit_frame;  /* the runtime left to the task's code here */
  ompt_data_t enter_frame; /* the task's code came back to the runtime here */
  int exit_frame_flags;    /* ompt_frame_flag_t */
  int enter_frame_flags;
} ompt_frame_t;

/* -- Start and end of a tool ------------------------------------------------------------------------------
 */

typedef void (*ompt_interface_fn_t)(void);

/* The entry point of this name, to be cast to its type (ompt_get_state: ompt_get_state_t); null for none. */
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char* interface_function_name);

/* Returns 0 where the tool does not want to be active after all. */
typedef int (*ompt_initialize_t)(ompt_function_lookup_t lookup, int initial_device_num,
                                 ompt_data_t* tool_data);
typedef void (*ompt_finalize_t)(ompt_data_t* tool_data);

typedef struct ompt_start_tool_result_t {
  ompt_initialize_t initialize;
  ompt_finalize_t finalize;
  ompt_data_t tool_data; /* what both are given */
} ompt_start_tool_result_t;

/* The tool defines it. omp_version: as _OPENMP. Returns null where the tool does not want to be active, or
 * what is valid until finalize() returns. */
__attribute__((visibility("default"))) ompt_start_tool_result_t* ompt_start_tool(unsigned int omp_version,
                                                                                 const char* runtime_version);

/* -- Threads and parallel regions -------------------------------------------------------------------------
 */

typedef void (*ompt_callback_thread_begin_t)(ompt_thread_t thread_type, ompt_data_t* thread_data);
typedef void (*ompt_callback_thread_end_t)(ompt_data_t* thread_data);

/* Also of teams. requested_parallelism: threads or teams. flags: ompt_parallel_flag_t. */
typedef void (*ompt_callback_parallel_begin_t)(ompt_data_t* encountering_task_data,
                                               const ompt_frame_t* encountering_task_frame,
                                               ompt_data_t* parallel_data, unsigned int requested_parallelism,
                                               int flags, const void* codeptr_ra);
typedef void (*ompt_callback_parallel_end_t)(ompt_data_t* parallel_data, ompt_data_t* encountering_task_data,
                                             int flags, const void* codeptr_ra);

/* -- Work that a team shares ------------------------------------------------------------------------------
 */

/* count: iterations, sections and so on. */
typedef void (*ompt_callback_work_t)(ompt_work_t work_type, ompt_scope_endpoint_t endpoint,
                                     ompt_data_t* parallel_data, ompt_data_t* task_data, uint64_t count,
                                     const void* codeptr_ra);

typedef struct ompt_dispatch_chunk_t {
  uint64_t start;
  uint64_t iterations;
} ompt_dispatch_chunk_t;

typedef void (*ompt_callback_dispatch_t)(ompt_data_t* parallel_data, ompt_data_t* task_data,
                                         ompt_dispatch_t kind, ompt_data_t instance);

typedef void (*ompt_callback_masked_t)(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data,
                                       ompt_data_t* task_data, const void* codeptr_ra);
typedef ompt_callback_masked_t ompt_callback_master_t;

/* -- Tasks ------------------------------------------------------------------------------------------------
 */

/* flags: ompt_task_flag_t. has_dependences: 0 or not. */
typedef void (*ompt_callback_task_create_t)(ompt_data_t* encountering_task_data,
                                            const ompt_frame_t* encountering_task_frame,
                                            ompt_data_t* new_task_data, int flags, int has_dependences,
                                            const void* codeptr_ra);

/* Of implicit and initial tasks. actual_parallelism: threads or teams; index: which of them the task is of.
 * parallel_data is null at the end: the region may be gone. */
typedef void (*ompt_callback_implicit_task_t)(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel_data,
                                              ompt_data_t* task_data, unsigned int actual_parallelism,
                                              unsigned int index, int flags);

/* next_task_data is null where the thread stays in its task: fulfilled events, complete taskwaits. */
typedef void (*ompt_callback_task_schedule_t)(ompt_data_t* prior_task_data,
                                              ompt_task_status_t prior_task_status,
                                              ompt_data_t* next_task_data);

typedef struct ompt_dependence_t {
  ompt_data_t variable; /* its address, or the iteration */
  ompt_dependence_type_t dependence_type;
} ompt_dependence_t;

/* All that is in the depend and doacross clauses. */
typedef void (*ompt_callback_dependences_t)(ompt_data_t* task_data, const ompt_dependence_t* deps, int ndeps);
/* sink may not begin before src is complete. */
typedef void (*ompt_callback_task_dependence_t)(ompt_data_t* src_task_data, ompt_data_t* sink_task_data);

typedef void (*ompt_callback_cancel_t)(ompt_data_t* task_data, int flags, const void* codeptr_ra);

/* -- Synchronization --------------------------------------------------------------------------------------
 */

/* parallel_data is null at the end of a barrier that ends a parallel region. */
typedef void (*ompt_callback_sync_region_t)(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                            ompt_data_t* parallel_data, ompt_data_t* task_data,
                                            const void* codeptr_ra);

/* hint: omp_sync_hint_t. impl: of ompt_enumerate_mutex_impls_t. */
typedef void (*ompt_callback_mutex_acquire_t)(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
                                              ompt_wait_id_t wait_id, const void* codeptr_ra);
typedef void (*ompt_callback_mutex_t)(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void* codeptr_ra);
/* Its owner sets or unsets the lock again, inside the outermost pair. */
typedef void (*ompt_callback_nest_lock_t)(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id,
                                          const void* codeptr_ra);

typedef void (*ompt_callback_flush_t)(ompt_data_t* thread_data, const void* codeptr_ra);

/* -- The program speaks -----------------------------------------------------------------------------------
 */

/* omp_control_tool(command, modifier, arg), which returns what this returns. */
typedef int (*ompt_callback_control_tool_t)(uint64_t command, uint64_t modifier, void* arg,
                                            const void* codeptr_ra);

/* The error directive. length: of message, in bytes. */
typedef void (*ompt_callback_error_t)(ompt_severity_t severity, const char* message, size_t length,
                                      const void* codeptr_ra);

/* -- Devices ----------------------------------------------------------------------------------------------
 *
 * A tool sets the target callbacks with emi or those without. Those with it have the tool's own words,
 * data_op and submit have two endpoints, and it is the tool that gives out host_op_id.
 */

/* lookup finds the entry points of the device's trace; null where it writes none. */
typedef void (*ompt_callback_device_initialize_t)(int device_num, const char* type, ompt_device_t* device,
                                                  ompt_function_lookup_t lookup, const char* documentation);
typedef void (*ompt_callback_device_finalize_t)(int device_num);
/* offset_in_file: -1 where it is not known; addresses so: ompt_addr_none. */
typedef void (*ompt_callback_device_load_t)(int device_num, const char* filename, int64_t offset_in_file,
                                            void* vma_in_file, size_t bytes, void* host_addr,
                                            void* device_addr, uint64_t module_id);
typedef void (*ompt_callback_device_unload_t)(int device_num, uint64_t module_id);

typedef void (*ompt_callback_target_t)(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                                       ompt_data_t* task_data, ompt_id_t target_id, const void* codeptr_ra);
typedef void (*ompt_callback_target_emi_t)(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device_num,
                                           ompt_data_t* task_data, ompt_data_t* target_task_data,
                                           ompt_data_t* target_data, const void* codeptr_ra);

typedef void (*ompt_callback_target_data_op_t)(ompt_id_t target_id, ompt_id_t host_op_id,
                                               ompt_target_data_op_t optype, void* src_addr,
                                               int src_device_num, void* dest_addr, int dest_device_num,
                                               size_t bytes, const void* codeptr_ra);
typedef void (*ompt_callback_target_data_op_emi_t)(ompt_scope_endpoint_t endpoint,
                                                   ompt_data_t* target_task_data, ompt_data_t* target_data,
                                                   ompt_id_t* host_op_id, ompt_target_data_op_t optype,
                                                   void* src_addr, int src_device_num, void* dest_addr,
                                                   int dest_device_num, size_t bytes, const void* codeptr_ra);

/* Arrays of nitems. mapping_flags: ompt_target_map_flag_t. */
typedef void (*ompt_callback_target_map_t)(ompt_id_t target_id, unsigned int nitems, void** host_addr,
                                           void** device_addr, size_t* bytes, unsigned int* mapping_flags,
                                           const void* codeptr_ra);
typedef void (*ompt_callback_target_map_emi_t)(ompt_data_t* target_data, unsigned int nitems,
                                               void** host_addr, void** device_addr, size_t* bytes,
                                               unsigned int* mapping_flags, const void* codeptr_ra);

/* A kernel is started on the device. */
typedef void (*ompt_callback_target_submit_t)(ompt_id_t target_id, ompt_id_t host_op_id,
                                              unsigned int requested_num_teams);
typedef void (*ompt_callback_target_submit_emi_t)(ompt_scope_endpoint_t endpoint, ompt_data_t* target_data,
                                                  ompt_id_t* host_op_id, unsigned int requested_num_teams);

/* The device wants room for its trace. 0 bytes: the tool has none. */
typedef void (*ompt_callback_buffer_request_t)(int device_num, ompt_buffer_t** buffer, size_t* bytes);
/* Records from begin on. buffer_owned: not 0 where the buffer is the tool's again. */
typedef void (*ompt_callback_buffer_complete_t)(int device_num, ompt_buffer_t* buffer, size_t bytes,
                                                ompt_buffer_cursor_t begin, int buffer_owned);

/* -- Entry points of the host -----------------------------------------------------------------------------
 */

/* Both go through all that the runtime has, from ompt_state_undefined and ompt_mutex_impl_none on, and return
 * 0 where there is no next. */
typedef int (*ompt_enumerate_states_t)(int current_state, int* next_state, const char** next_state_name);
typedef int (*ompt_enumerate_mutex_impls_t)(int current_impl, int* next_impl, const char** next_impl_name);

/* Any callback, to be cast from its type. */
typedef void (*ompt_callback_t)(void);

/* A null callback unsets. */
typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t event, ompt_callback_t callback);
/* Returns 0 where none is set. */
typedef int (*ompt_get_callback_t)(ompt_callbacks_t event, ompt_callback_t* callback);

/* Of the calling thread: null where it is none of the runtime's. */
typedef ompt_data_t* (*ompt_get_thread_data_t)(void);
/* Of the calling thread: an ompt_state_t or a state of the runtime's own. *wait_id: what it waits for. */
typedef int (*ompt_get_state_t)(ompt_wait_id_t* wait_id);

/* Of the calling thread, ancestor_level 0 being the innermost; null pointers are left out. Both return 2, or
 * 1 where there is one that nothing is known of now, or 0 where there is none. */
typedef int (*ompt_get_parallel_info_t)(int ancestor_level, ompt_data_t** parallel_data, int* team_size);
typedef int (*ompt_get_task_info_t)(int ancestor_level, int* flags, ompt_data_t** task_data,
                                    ompt_frame_t** task_frame, ompt_data_t** parallel_data, int* thread_num);

/* Where the current task's data are, by blocks from 0 on. Returns 1 where there are more of them, or 0. */
typedef int (*ompt_get_task_memory_t)(void** addr, size_t* size, int block);

typedef int (*ompt_get_num_procs_t)(void);
typedef int (*ompt_get_num_places_t)(void);
/* Both return how many there are, and write them where there is room for all. */
typedef int (*ompt_get_place_proc_ids_t)(int place_num, int ids_size, int* ids);
typedef int (*ompt_get_partition_place_nums_t)(int place_nums_size, int* place_nums);
/* Of the calling thread; negative for none. */
typedef int (*ompt_get_place_num_t)(void);
typedef int (*ompt_get_proc_id_t)(void);

typedef int (*ompt_get_num_devices_t)(void);
/* Returns 1 in a target region, or 0. */
typedef int (*ompt_get_target_info_t)(uint64_t* device_num, ompt_id_t* target_id, ompt_id_t* host_op_id);

/* A number that the process has not got from it before. */
typedef uint64_t (*ompt_get_unique_id_t)(void);
/* The runtime calls the tool's finalize() before this returns. */
typedef void (*ompt_finalize_tool_t)(void);

/* -- Records of a device's trace --------------------------------------------------------------------------
 *
 * As the callback of the same name, with numbers where that has the tool's words.
 */

/* clang-format off */

typedef struct ompt_record_thread_begin_t { ompt_thread_t thread_type; } ompt_record_thread_begin_t;
typedef struct ompt_record_parallel_begin_t {
  ompt_id_t encountering_task_id, parallel_id; unsigned int requested_parallelism; int flags;
  const void* codeptr_ra;
} ompt_record_parallel_begin_t;
typedef struct ompt_record_parallel_end_t {
  ompt_id_t parallel_id, encountering_task_id; int flags; const void* codeptr_ra;
} ompt_record_parallel_end_t;
typedef struct ompt_record_work_t {
  ompt_work_t work_type; ompt_scope_endpoint_t endpoint; ompt_id_t parallel_id, task_id; uint64_t count;
  const void* codeptr_ra;
} ompt_record_work_t;
typedef struct ompt_record_dispatch_t {
  ompt_id_t parallel_id, task_id; ompt_dispatch_t kind; ompt_data_t instance;
} ompt_record_dispatch_t;
typedef struct ompt_record_masked_t {
  ompt_scope_endpoint_t endpoint; ompt_id_t parallel_id, task_id; const void* codeptr_ra;
} ompt_record_masked_t;
typedef struct ompt_record_task_create_t {
  ompt_id_t encountering_task_id, new_task_id; int flags, has_dependences; const void* codeptr_ra;
} ompt_record_task_create_t;
typedef struct ompt_record_implicit_task_t {
  ompt_scope_endpoint_t endpoint; ompt_id_t parallel_id, task_id; unsigned int actual_parallelism, index;
  int flags;
} ompt_record_implicit_task_t;
typedef struct ompt_record_task_schedule_t {
  ompt_id_t prior_task_id; ompt_task_status_t prior_task_status; ompt_id_t next_task_id;
} ompt_record_task_schedule_t;
typedef struct ompt_record_dependences_t {
  ompt_id_t task_id; ompt_dependence_t dep; int ndeps;
} ompt_record_dependences_t;
typedef struct ompt_record_task_dependence_t {
  ompt_id_t src_task_id, sink_task_id;
} ompt_record_task_dependence_t;
typedef struct ompt_record_cancel_t {
  ompt_id_t task_id; int flags; const void* codeptr_ra;
} ompt_record_cancel_t;
typedef struct ompt_record_sync_region_t {
  ompt_sync_region_t kind; ompt_scope_endpoint_t endpoint; ompt_id_t parallel_id, task_id;
  const void* codeptr_ra;
} ompt_record_sync_region_t;
typedef struct ompt_record_mutex_acquire_t {
  ompt_mutex_t kind; unsigned int hint, impl; ompt_wait_id_t wait_id; const void* codeptr_ra;
} ompt_record_mutex_acquire_t;
typedef struct ompt_record_mutex_t {
  ompt_mutex_t kind; ompt_wait_id_t wait_id; const void* codeptr_ra;
} ompt_record_mutex_t;
typedef struct ompt_record_nest_lock_t {
  ompt_scope_endpoint_t endpoint; ompt_wait_id_t wait_id; const void* codeptr_ra;
} ompt_record_nest_lock_t;
typedef struct ompt_record_flush_t { const void* codeptr_ra; } ompt_record_flush_t;
typedef struct ompt_record_control_tool_t {
  uint64_t command, modifier; const void* codeptr_ra;
} ompt_record_control_tool_t;
typedef struct ompt_record_error_t {
  ompt_severity_t severity; const char* message; size_t length; const void* codeptr_ra;
} ompt_record_error_t;
typedef struct ompt_record_target_t {
  ompt_target_t kind; ompt_scope_endpoint_t endpoint; int device_num; ompt_id_t task_id, target_id;
  const void* codeptr_ra;
} ompt_record_target_t;
typedef struct ompt_record_target_data_op_t {
  ompt_id_t host_op_id; ompt_target_data_op_t optype; void* src_addr; int src_device_num; void* dest_addr;
  int dest_device_num; size_t bytes; ompt_device_time_t end_time; const void* codeptr_ra;
} ompt_record_target_data_op_t;
typedef struct ompt_record_target_map_t {
  ompt_id_t target_id; unsigned int nitems; void** host_addr; void** device_addr; size_t* bytes;
  unsigned int* mapping_flags; const void* codeptr_ra;
} ompt_record_target_map_t;
/* Of ompt_callback_target_submit. */
typedef struct ompt_record_target_kernel_t {
  ompt_id_t host_op_id; unsigned int requested_num_teams, granted_num_teams; ompt_device_time_t end_time;
} ompt_record_target_kernel_t;

/* The record of an OMPT event: type tells which member is meant. */
typedef struct ompt_record_ompt_t {
  ompt_callbacks_t type; ompt_device_time_t time; ompt_id_t thread_id, target_id;
  union {
    ompt_record_thread_begin_t thread_begin; ompt_record_parallel_begin_t parallel_begin;
    ompt_record_parallel_end_t parallel_end; ompt_record_work_t work; ompt_record_dispatch_t dispatch;
    ompt_record_task_create_t task_create; ompt_record_dependences_t dependences;
    ompt_record_task_dependence_t task_dependence; ompt_record_task_schedule_t task_schedule;
    ompt_record_implicit_task_t implicit_task; ompt_record_masked_t masked;
    ompt_record_sync_region_t sync_region; ompt_record_mutex_acquire_t mutex_acquire;
    ompt_record_mutex_t mutex; ompt_record_nest_lock_t nest_lock; ompt_record_flush_t flush;
    ompt_record_cancel_t cancel; ompt_record_target_t target; ompt_record_target_data_op_t target_data_op;
    ompt_record_target_map_t target_map; ompt_record_target_kernel_t target_kernel;
    ompt_record_control_tool_t control_tool;
  } record;
} ompt_record_ompt_t;

/* What any device can tell of a record in its own form. */
typedef struct ompt_record_abstract_t {
  ompt_record_native_t rclass; const char* type; ompt_device_time_t start_time, end_time; ompt_hwid_t hwid;
} ompt_record_abstract_t;

/* clang-format on */

/* -- Entry points of a device -----------------------------------------------------------------------------
 *
 * Those that return int and do something return 1, or 0 where they could not.
 */

typedef int (*ompt_get_device_num_procs_t)(ompt_device_t* device);
typedef ompt_device_time_t (*ompt_get_device_time_t)(ompt_device_t* device);
/* In seconds, as omp_get_wtime() of the host. */
typedef double (*ompt_translate_time_t)(ompt_device_t* device, ompt_device_time_t time);

/* enable: 0 or not. etype: of ompt_callbacks_t, or 0 for all. flags: ompt_native_mon_flag_t. */
typedef ompt_set_result_t (*ompt_set_trace_ompt_t)(ompt_device_t* device, unsigned int enable,
                                                   unsigned int etype);
typedef ompt_set_result_t (*ompt_set_trace_native_t)(ompt_device_t* device, int enable, int flags);

typedef int (*ompt_start_trace_t)(ompt_device_t* device, ompt_callback_buffer_request_t request,
                                  ompt_callback_buffer_complete_t complete);
/* begin_pause: 0 to go on. */
typedef int (*ompt_pause_trace_t)(ompt_device_t* device, int begin_pause);
/* The tool is given what is recorded by now. */
typedef int (*ompt_flush_trace_t)(ompt_device_t* device);
typedef int (*ompt_stop_trace_t)(ompt_device_t* device);

/* Returns 0 where there is no next record. */
typedef int (*ompt_advance_buffer_cursor_t)(ompt_device_t* device, ompt_buffer_t* buffer, size_t size,
                                            ompt_buffer_cursor_t current, ompt_buffer_cursor_t* next);

/* Of the record at the cursor. */
typedef ompt_record_t (*ompt_get_record_type_t)(ompt_buffer_t* buffer, ompt_buffer_cursor_t current);
typedef ompt_record_ompt_t* (*ompt_get_record_ompt_t)(ompt_buffer_t* buffer, ompt_buffer_cursor_t current);
typedef void* (*ompt_get_record_native_t)(ompt_buffer_t* buffer, ompt_buffer_cursor_t current,
                                          ompt_id_t* host_op_id);
/* native_record: of the former. */
typedef ompt_record_abstract_t* (*ompt_get_record_abstract_t)(void* native_record);

#ifdef __cplusplus
}
#endif

#endif
