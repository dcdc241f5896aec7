/* TAMPI.h: the programming interface of Task-Aware MPI, as libheddle-mpi has it, for C and C++.
 *
 *     #pragma omp task depend(out : halo[0])
 *     {
 *       MPI_Request request;
 *       MPI_Irecv(halo, n, MPI_DOUBLE, left, tag, comm, &request);
 *       TAMPI_Iwait(&request, MPI_STATUS_IGNORE);
 *     }
 *
 * A task is complete, and what depends on it may begin, when its body has ended and all requests are complete
 * that it gave to TAMPI_Iwait() or TAMPI_Iwaitall(). They return at once. Statuses and buffers are MPI's
 * until the task is complete. TAMPI_Isend() and the others start an operation and do this with its request:
 * as in version 4 of the interface without a request among their arguments; as in version 3 with one where
 * TAMPI_VERSION_3 is defined before this file is included.
 *
 * Where a program asks MPI_Init_thread() or TAMPI_Init() for MPI_TASK_MULTIPLE, and is given it, blocking MPI
 * calls suspend the task that makes them, or the initial thread's, and the thread executes others.
 *
 * Requires: libheddle. On other runtimes MPI_TASK_MULTIPLE is not provided, and TAMPI_Iwait() ends the
 * program with a line.
 */
#ifndef TAMPI_H
#define TAMPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef TAMPI_VERSION_3
#  define TAMPI_VERSION_MAJOR 3
#else
#  define TAMPI_VERSION_MAJOR 4
#endif
#define TAMPI_VERSION_MINOR 0

#ifndef MPI_TASK_MULTIPLE
#  define MPI_TASK_MULTIPLE (MPI_THREAD_MULTIPLE + 1)
#endif

#define TAMPI_API __attribute__((visibility("default")))

/* Properties. The first two can only be read. AUTO_INIT: whether MPI_Init_thread() does what TAMPI_Init()
 * does; to be set before it; on by default. THREAD_TASKAWARE: whether blocking calls of this thread suspend.
 */
#define TAMPI_PROPERTY_BLOCKING_MODE 0x1
#define TAMPI_PROPERTY_NONBLOCKING_MODE 0x2
#define TAMPI_PROPERTY_AUTO_INIT 0x3
#define TAMPI_PROPERTY_THREAD_TASKAWARE 0x4

/* All return MPI_SUCCESS, or MPI_ERR_ARG for a property that is unknown or cannot be set. Threads: any. */
TAMPI_API int TAMPI_Property_get(int property, int* value);
TAMPI_API int TAMPI_Property_set(int property, int value);
TAMPI_API int TAMPI_Blocking_enabled(int* flag);
TAMPI_API int TAMPI_Nonblocking_enabled(int* flag);

/* After MPI's own start, where AUTO_INIT is off. provided: MPI_TASK_MULTIPLE, or what MPI itself provides. */
TAMPI_API int TAMPI_Init(int required, int* provided);
TAMPI_API int TAMPI_Finalize(void);

/* The current task is complete no sooner than the request, which becomes MPI_REQUEST_NULL. Requires: it is
 * not persistent. status may be MPI_STATUS_IGNORE, statuses MPI_STATUSES_IGNORE. Errors: where the
 * communicator has an error handler that returns, they are in the status; without one the program ends with a
 * line. */
TAMPI_API int TAMPI_Iwait(MPI_Request* request, MPI_Status* status);
TAMPI_API int TAMPI_Iwaitall(int count, MPI_Request requests[], MPI_Status statuses[]);

/* A program that includes this file says so before it begins: tasks are executed so that they can wait. */
TAMPI_API void heddle_mpi_expect_tampi(void);
__attribute__((constructor)) static void heddle_mpi_includes_tampi_(void) {
  heddle_mpi_expect_tampi();
}

/* The wrappers. Each list in parentheses is of parameters, or of their names. */
#define TAMPI_LIST_(...) __VA_ARGS__
#ifdef TAMPI_VERSION_3
/* A program that is compiled without OpenMP has its request, and waits for it itself. */
#  ifdef _OPENMP
#    define TAMPI_THEN_(request, status) TAMPI_Iwait(request, status)
#  else
#    define TAMPI_THEN_(request, status) MPI_SUCCESS
#  endif
#  define TAMPI_STARTER_(Name, parameters, names)                                  \
    static inline int TAMPI_##Name(TAMPI_LIST_ parameters, MPI_Request* request) { \
      const int code = MPI_##Name(TAMPI_LIST_ names, request);                     \
      return code == MPI_SUCCESS ? TAMPI_THEN_(request, MPI_STATUS_IGNORE) : code; \
    }
static inline int TAMPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                              MPI_Request* request, MPI_Status* status) {
  const int code = MPI_Irecv(data, count, type, from, tag, comm, request);
  (void)status;
  return code == MPI_SUCCESS ? TAMPI_THEN_(request, status) : code;
}
/* Where tasks wait for their requests this has nothing to do. */
static inline int TAMPI_Wait(MPI_Request* request, MPI_Status* status) {
#  ifdef _OPENMP
  (void)request, (void)status;
  return MPI_SUCCESS;
#  else
  return MPI_Wait(request, status);
#  endif
}
static inline int TAMPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
#  ifdef _OPENMP
  (void)count, (void)requests, (void)statuses;
  return MPI_SUCCESS;
#  else
  return MPI_Waitall(count, requests, statuses);
#  endif
}
#else
#  define TAMPI_STARTER_(Name, parameters, names)                                   \
    static inline int TAMPI_##Name(TAMPI_LIST_ parameters) {                        \
      MPI_Request request;                                                          \
      const int code = MPI_##Name(TAMPI_LIST_ names, &request);                     \
      return code == MPI_SUCCESS ? TAMPI_Iwait(&request, MPI_STATUS_IGNORE) : code; \
    }
static inline int TAMPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                              MPI_Status* status) {
  MPI_Request request;
  const int code = MPI_Irecv(data, count, type, from, tag, comm, &request);
  return code == MPI_SUCCESS ? TAMPI_Iwait(&request, status) : code;
}
#endif

/* clang-format off */
TAMPI_STARTER_(Isend, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (data, count, type, to, tag, comm))
TAMPI_STARTER_(Ibsend, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (data, count, type, to, tag, comm))
TAMPI_STARTER_(Irsend, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (data, count, type, to, tag, comm))
TAMPI_STARTER_(Issend, (const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (data, count, type, to, tag, comm))
TAMPI_STARTER_(Ibarrier, (MPI_Comm comm), (comm))
TAMPI_STARTER_(Ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm))
TAMPI_STARTER_(Ireduce, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm), (from, into, count, type, op, root, comm))
TAMPI_STARTER_(Iallreduce, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, count, type, op, comm))
TAMPI_STARTER_(Iscan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, count, type, op, comm))
TAMPI_STARTER_(Iexscan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, count, type, op, comm))
TAMPI_STARTER_(Ireduce_scatter, (const void* from, void* into, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, counts, type, op, comm))
TAMPI_STARTER_(Ireduce_scatter_block, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, count, type, op, comm))
TAMPI_STARTER_(Igather, (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm), (from, count, type, into, in_count, in_type, root, comm))
TAMPI_STARTER_(Igatherv, (const void* from, int count, MPI_Datatype type, void* into, const int in_counts[], const int begins[], MPI_Datatype in_type, int root, MPI_Comm comm), (from, count, type, into, in_counts, begins, in_type, root, comm))
TAMPI_STARTER_(Iscatter, (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm), (from, count, type, into, in_count, in_type, root, comm))
TAMPI_STARTER_(Iscatterv, (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm), (from, counts, begins, type, into, in_count, in_type, root, comm))
TAMPI_STARTER_(Iallgather, (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type, MPI_Comm comm), (from, count, type, into, in_count, in_type, comm))
TAMPI_STARTER_(Iallgatherv, (const void* from, int count, MPI_Datatype type, void* into, const int in_counts[], const int begins[], MPI_Datatype in_type, MPI_Comm comm), (from, count, type, into, in_counts, begins, in_type, comm))
TAMPI_STARTER_(Ialltoall, (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type, MPI_Comm comm), (from, count, type, into, in_count, in_type, comm))
TAMPI_STARTER_(Ialltoallv, (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* into, const int in_counts[], const int in_begins[], MPI_Datatype in_type, MPI_Comm comm), (from, counts, begins, type, into, in_counts, in_begins, in_type, comm))
TAMPI_STARTER_(Ialltoallw, (const void* from, const int counts[], const int begins[], const MPI_Datatype types[], void* into, const int in_counts[], const int in_begins[], const MPI_Datatype in_types[], MPI_Comm comm), (from, counts, begins, types, into, in_counts, in_begins, in_types, comm))
/* clang-format on */
#undef TAMPI_STARTER_
#undef TAMPI_LIST_
#undef TAMPI_THEN_

#ifdef __cplusplus
}
#endif

#endif
