/* heddle_mpi.h: MPI requests whose completion is an event of a task, for C and C++.
 *
 *     #pragma omp task depend(out : halo[0]) detach(arrived)
 *     {
 *       MPI_Request request;
 *       MPI_Irecv(halo, n, MPI_DOUBLE, left, tag, comm, &request);
 *       heddle_mpi_detach(&request, arrived);
 *     }
 *
 * The task's body returns at once; what depends on halo begins when the message is there. No thread waits for
 * it: libheddle's threads look at the requests that are outstanding when they have nothing to execute, and
 * when they end a task. On other OpenMP runtimes a thread of this library does, which takes a share of a
 * processor.
 *
 * Requires: MPI was initialised with MPI_THREAD_MULTIPLE, since any thread may call it.
 */
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

#include <mpi.h>

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_MPI_API __attribute__((visibility("default")))

/* What MPI_Init_thread() provides on libheddle where it is asked for: while a blocking call waits, in a task
 * or outside of any, its thread executes other tasks (TAMPI.h). */
#ifndef MPI_TASK_MULTIPLE
#  define MPI_TASK_MULTIPLE (MPI_THREAD_MULTIPLE + 1)
#endif

/* Fulfils the event, once, when the request is complete, which may be before this returns. The library has
 * the request from now on: *request becomes MPI_REQUEST_NULL. The buffer is MPI's until the event. A null
 * request is complete. event: of a task's detach clause, or of omp_task_continuation_event(). Requires: the
 * request is not persistent. Errors: where the communicator has an error handler that returns, a request that
 * fails ends the program, with a line that says what MPI says. Returns MPI_SUCCESS. Threads: any. Cost: one
 * MPI_Test(), and two locks where the request is not complete yet. */
HEDDLE_MPI_API int heddle_mpi_detach(MPI_Request* request, HEDDLE_EVENT_T event);

/* The same for the last of several requests. None, or none that is not null, are complete. */
HEDDLE_MPI_API int heddle_mpi_detach_all(int count, MPI_Request requests[], HEDDLE_EVENT_T event);

/* The current task is complete no sooner than the request, which becomes MPI_REQUEST_NULL: what
 * heddle_mpi_detach() is for tasks without a detach clause. In a taskgraph, whose executions may overlap
 * then, the body of each execution binds requests anew. Requires: libheddle; the request is not persistent.
 * Errors: on other runtimes, and in a task that has a detach clause, the program ends with a line. Returns
 * MPI_SUCCESS. Threads: any. */
HEDDLE_MPI_API int heddle_mpi_bind(MPI_Request* request);

/* So many requests are outstanding. Threads: any; a snapshot. */
HEDDLE_MPI_API int heddle_mpi_outstanding(void);

#ifdef __cplusplus
}
#endif

#endif
