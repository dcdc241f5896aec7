/* heddle_tools.h: what a tool of OpenMP's tools interface may ask libheddle beyond the standard. It gets each
 * function from the lookup function of its initialisation, by its name; other runtimes return null there.
 */
#ifndef HEDDLE_TOOLS_H
#define HEDDLE_TOOLS_H

#include "omp-tools.h"

#ifdef __cplusplus
extern "C" {
#endif

/* heddle_get_task_code: where the body of an explicit task begins, which the compiler has made a function of;
 * null where it has none, as one that stands for a taskwait. The address that a callback of the standard is
 * given is that of the call of the runtime instead, to which compilers may give the line of anything around.
 * Requires: task is what a callback has just been given, of a task that is not complete. */
typedef const void* (*heddle_get_task_code_t)(const ompt_data_t* task);

/* What a task waits for that leaves its thread, with the stack that it stands on. */
typedef enum heddle_suspend_t {
  heddle_suspend_event = 1,        /* omp_taskwait_detach() */
  heddle_suspend_time = 2,         /* heddle_task_sleep_ns() */
  heddle_suspend_children = 3,     /* a taskwait */
  heddle_suspend_taskgroup = 4,    /* the end of a taskgroup */
  heddle_suspend_predecessors = 5, /* an undeferred child's dependences */
  heddle_suspend_lock = 6,
  heddle_suspend_unblock = 7, /* alpi_task_unblock(), as blocking calls of a task-aware MPI wait for */
  heddle_suspend_turn = 8     /* it lets another task go first */
} heddle_suspend_t;

/* The task is about to be suspended: the next ompt_callback_task_schedule tells that it is left, and one that
 * names it as the next task that it goes on, with the same thread. A task that waits without leaving its
 * thread is not told of. */
typedef void (*heddle_callback_suspend_t)(ompt_data_t* task, heddle_suspend_t reason);

/* heddle_set_callback_suspend: null: none from now on. */
typedef void (*heddle_set_callback_suspend_t)(heddle_callback_suspend_t callback);

#ifdef __cplusplus
}
#endif

#endif
