// Collective operations, each with its form that has a request: their begins and ends.
#include "tracer/mpi/calls.hpp"
#include "tracer/mpi/requests.hpp"

using namespace heddle::tracer;

#define COLLECTIVE(Name, Iname, parameters, names)                                   \
  HEDDLE_TRACE_PLAIN(Name, parameters, names)                                        \
  HEDDLE_TRACE_MPI MPI_##Iname(HEDDLE_TRACE_LIST parameters, MPI_Request* request) { \
    HEDDLE_TRACE_CALL(Iname);                                                        \
    return made(function.next()(HEDDLE_TRACE_LIST names, request), request);         \
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
