// MPI's calls that this library stands before. Blocking ones, in blocking mode, start the operation and
// suspend their task until it is complete; those that start an operation note what it is, for reports. Else
// both are MPI's own.

#include <chrono>
#include <thread>

#include "TAMPI.h"
#include "mpi/errors.hpp"
#include "mpi/modes.hpp"
#include "mpi/request_notes.hpp"
#include "mpi/suspended_wait.hpp"

#define HEDDLE_MPI_CALL extern "C" __attribute__((visibility("default"))) int

using namespace heddle::mpi;

namespace {

// A call that has started an operation, or failed.
int started(int code, MPI_Request request, const Operation& operation) {
  if (code == MPI_SUCCESS) note(request, operation);
  return code;
}

int wait_for(int code, MPI_Request& request, MPI_Status* status) {
  if (code != MPI_SUCCESS) return code;
  return wait_suspended({&request, 1}, status == MPI_STATUS_IGNORE ? MPI_STATUSES_IGNORE : status);
}

}  // namespace

HEDDLE_MPI_CALL MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code =
      PMPI_Init_thread(argc, argv, required > MPI_THREAD_MULTIPLE ? MPI_THREAD_MULTIPLE : required, provided);
  if (code == MPI_SUCCESS) name_errors();
  if (modes.expected.load()) announce_waits();
  if (code == MPI_SUCCESS && modes.starts_with_mpi.load()) *provided = provide(required, *provided);
  return code;
}

HEDDLE_MPI_CALL MPI_Query_thread(int* provided) {
  const int code = PMPI_Query_thread(provided);
  if (code == MPI_SUCCESS && modes.blocking.load()) *provided = MPI_TASK_MULTIPLE;
  return code;
}

// Tasks that are suspended in MPI's own end would be lost: nobody looks any more.
HEDDLE_MPI_CALL MPI_Finalize() {
  modes.blocking.store(false);
  return PMPI_Finalize();
}

// MPICH's launcher drops what it has not read yet of what ranks have said, when one of them aborts: the line
// that names the reason, 2 of 100 times.
HEDDLE_MPI_CALL MPI_Abort(MPI_Comm comm, int status) {
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  return PMPI_Abort(comm, status);
}

// The kinds of sends.
#define SENDS(Name, Iname, words)                                                              \
  HEDDLE_MPI_CALL MPI_##Iname(const void* data, int count, MPI_Datatype type, int to, int tag, \
                              MPI_Comm comm, MPI_Request* request) {                           \
    const int code = PMPI_##Iname(data, count, type, to, tag, comm, request);                  \
    return started(code, *request, {words, comm, "to", to, tag, count, type});                 \
  }                                                                                            \
  HEDDLE_MPI_CALL MPI_##Name(const void* data, int count, MPI_Datatype type, int to, int tag,  \
                             MPI_Comm comm) {                                                  \
    if (!calls_suspend()) return PMPI_##Name(data, count, type, to, tag, comm);                \
    MPI_Request request = MPI_REQUEST_NULL;                                                    \
    const int code = MPI_##Iname(data, count, type, to, tag, comm, &request);                  \
    return wait_for(code, request, MPI_STATUS_IGNORE);                                         \
  }
SENDS(Send, Isend, "a send")
SENDS(Rsend, Irsend, "a ready send")
SENDS(Ssend, Issend, "a synchronous send")
#undef SENDS

// Each list in parentheses is of parameters, or of their names.
#define LIST(...) __VA_ARGS__
#define COLLECTIVE(Name, Iname, parameters, names)                     \
  HEDDLE_MPI_CALL MPI_##Iname(LIST parameters, MPI_Request* request) { \
    const int code = PMPI_##Iname(LIST names, request);                \
    return started(code, *request, {"MPI_" #Name, comm});              \
  }                                                                    \
  HEDDLE_MPI_CALL MPI_##Name(LIST parameters) {                        \
    if (!calls_suspend()) return PMPI_##Name(LIST names);              \
    MPI_Request request = MPI_REQUEST_NULL;                            \
    const int code = MPI_##Iname(LIST names, &request);                \
    return wait_for(code, request, MPI_STATUS_IGNORE);                 \
  }
COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm))
COLLECTIVE(Bcast, Ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (data, count, type, root, comm))
COLLECTIVE(Reduce, Ireduce,
           (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
           (from, into, count, type, op, root, comm))
COLLECTIVE(Allreduce, Iallreduce,
           (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, into, count, type, op, comm))
COLLECTIVE(Scan, Iscan,
           (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, into, count, type, op, comm))
COLLECTIVE(Exscan, Iexscan,
           (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, into, count, type, op, comm))
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void* from, void* into, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, into, counts, type, op, comm))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (from, into, count, type, op, comm))
COLLECTIVE(Gather, Igather,
           (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type,
            int root, MPI_Comm comm),
           (from, count, type, into, in_count, in_type, root, comm))
COLLECTIVE(Gatherv, Igatherv,
           (const void* from, int count, MPI_Datatype type, void* into, const int in_counts[],
            const int begins[], MPI_Datatype in_type, int root, MPI_Comm comm),
           (from, count, type, into, in_counts, begins, in_type, root, comm))
COLLECTIVE(Scatter, Iscatter,
           (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type,
            int root, MPI_Comm comm),
           (from, count, type, into, in_count, in_type, root, comm))
COLLECTIVE(Scatterv, Iscatterv,
           (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* into,
            int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
           (from, counts, begins, type, into, in_count, in_type, root, comm))
COLLECTIVE(Allgather, Iallgather,
           (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type,
            MPI_Comm comm),
           (from, count, type, into, in_count, in_type, comm))
COLLECTIVE(Allgatherv, Iallgatherv,
           (const void* from, int count, MPI_Datatype type, void* into, const int in_counts[],
            const int begins[], MPI_Datatype in_type, MPI_Comm comm),
           (from, count, type, into, in_counts, begins, in_type, comm))
COLLECTIVE(Alltoall, Ialltoall,
           (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type,
            MPI_Comm comm),
           (from, count, type, into, in_count, in_type, comm))
COLLECTIVE(Alltoallv, Ialltoallv,
           (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* into,
            const int in_counts[], const int in_begins[], MPI_Datatype in_type, MPI_Comm comm),
           (from, counts, begins, type, into, in_counts, in_begins, in_type, comm))
COLLECTIVE(Alltoallw, Ialltoallw,
           (const void* from, const int counts[], const int begins[], const MPI_Datatype types[], void* into,
            const int in_counts[], const int in_begins[], const MPI_Datatype in_types[], MPI_Comm comm),
           (from, counts, begins, types, into, in_counts, in_begins, in_types, comm))
#undef COLLECTIVE
#undef LIST

HEDDLE_MPI_CALL MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                          MPI_Request* request) {
  const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
  return started(code, *request, {"a receive", comm, "from", from, tag, count, type});
}

HEDDLE_MPI_CALL MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                         MPI_Status* status) {
  if (!calls_suspend()) return PMPI_Recv(data, count, type, from, tag, comm, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = MPI_Irecv(data, count, type, from, tag, comm, &request);
  return wait_for(code, request, status);
}

HEDDLE_MPI_CALL MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into,
                             int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                             MPI_Status* status) {
  if (!calls_suspend())
    return PMPI_Sendrecv(data, count, type, to, tag, into, in_count, in_type, from, in_tag, comm, status);
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  int code = MPI_Irecv(into, in_count, in_type, from, in_tag, comm, &requests[0]);
  if (code == MPI_SUCCESS) code = MPI_Isend(data, count, type, to, tag, comm, &requests[1]);
  if (code != MPI_SUCCESS) return code;
  MPI_Status statuses[2];
  code = wait_suspended(requests, statuses);
  if (status != MPI_STATUS_IGNORE) *status = statuses[0];
  if (code != MPI_ERR_IN_STATUS) return code;
  return statuses[0].MPI_ERROR != MPI_SUCCESS ? statuses[0].MPI_ERROR : statuses[1].MPI_ERROR;
}

HEDDLE_MPI_CALL MPI_Wait(MPI_Request* request, MPI_Status* status) {
  if (!calls_suspend()) return PMPI_Wait(request, status);
  return wait_for(MPI_SUCCESS, *request, status);
}

HEDDLE_MPI_CALL MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!calls_suspend()) return PMPI_Waitall(count, requests, statuses);
  return wait_suspended({requests, static_cast<std::size_t>(count)}, statuses);
}

HEDDLE_MPI_CALL MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  if (!calls_suspend()) return PMPI_Waitany(count, requests, index, status);
  return look_suspended([&](int* flag) { return PMPI_Testany(count, requests, index, flag, status); });
}

HEDDLE_MPI_CALL MPI_Waitsome(int count, MPI_Request requests[], int* complete, int indices[],
                             MPI_Status statuses[]) {
  if (!calls_suspend()) return PMPI_Waitsome(count, requests, complete, indices, statuses);
  return look_suspended([&](int* flag) {
    const int code = PMPI_Testsome(count, requests, complete, indices, statuses);
    *flag = *complete != 0 ? 1 : 0;  // MPI_UNDEFINED: there is none to wait for
    return code;
  });
}

HEDDLE_MPI_CALL MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  if (!calls_suspend()) return PMPI_Probe(from, tag, comm, status);
  return look_suspended([&](int* flag) { return PMPI_Iprobe(from, tag, comm, flag, status); });
}

HEDDLE_MPI_CALL MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  if (!calls_suspend()) return PMPI_Mprobe(from, tag, comm, message, status);
  return look_suspended([&](int* flag) { return PMPI_Improbe(from, tag, comm, flag, message, status); });
}

HEDDLE_MPI_CALL MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message,
                          MPI_Status* status) {
  if (!calls_suspend()) return PMPI_Mrecv(data, count, type, message, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = PMPI_Imrecv(data, count, type, message, &request);
  return wait_for(code, request, status);
}
