// Communicators, and one-sided communication: begins and ends. A communicator is numbered as it is created.
#include "tracer/mpi/calls.hpp"
#include "tracer/mpi/communicators.hpp"

using namespace heddle::tracer;

#define CREATES(Name, parameters, names)                                              \
  HEDDLE_TRACE_MPI MPI_##Name(HEDDLE_TRACE_LIST parameters, MPI_Comm* created) {      \
    HEDDLE_TRACE_CALL(Name);                                                          \
    const int code = function.next()(HEDDLE_TRACE_LIST names, created);               \
    if (call.sees_completions() && code == MPI_SUCCESS) known_communicator(*created); \
    return code;                                                                      \
  }
CREATES(Comm_dup, (MPI_Comm comm), (comm))
CREATES(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info), (comm, info))
CREATES(Comm_split, (MPI_Comm comm, int color, int key), (comm, color, key))
CREATES(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info), (comm, type, key, info))
CREATES(Comm_create, (MPI_Comm comm, MPI_Group group), (comm, group))
CREATES(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag), (comm, group, tag))
CREATES(Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peers, int remote_leader, int tag),
        (local, leader, peers, remote_leader, tag))
CREATES(Intercomm_merge, (MPI_Comm comm, int is_high), (comm, is_high))
CREATES(Cart_create, (MPI_Comm comm, int axes, const int sizes[], const int periodic[], int may_reorder),
        (comm, axes, sizes, periodic, may_reorder))
CREATES(Cart_sub, (MPI_Comm comm, const int kept[]), (comm, kept))
CREATES(Dist_graph_create_adjacent,
        (MPI_Comm comm, int in_degree, const int sources[], const int in_weights[], int out_degree,
         const int targets[], const int out_weights[], MPI_Info info, int may_reorder),
        (comm, in_degree, sources, in_weights, out_degree, targets, out_weights, info, may_reorder))
#undef CREATES

HEDDLE_TRACE_PLAIN(Comm_free, (MPI_Comm * comm), (comm))

HEDDLE_TRACE_PLAIN(Win_fence, (int assertion, MPI_Win window), (assertion, window))
HEDDLE_TRACE_PLAIN(Win_flush, (int rank, MPI_Win window), (rank, window))
HEDDLE_TRACE_PLAIN(Put,
                   (const void* data, int count, MPI_Datatype type, int to, MPI_Aint at, int to_count,
                    MPI_Datatype to_type, MPI_Win window),
                   (data, count, type, to, at, to_count, to_type, window))
HEDDLE_TRACE_PLAIN(Get,
                   (void* into, int count, MPI_Datatype type, int from, MPI_Aint at, int from_count,
                    MPI_Datatype from_type, MPI_Win window),
                   (into, count, type, from, at, from_count, from_type, window))
HEDDLE_TRACE_PLAIN(Accumulate,
                   (const void* data, int count, MPI_Datatype type, int to, MPI_Aint at, int to_count,
                    MPI_Datatype to_type, MPI_Op op, MPI_Win window),
                   (data, count, type, to, at, to_count, to_type, op, window))
