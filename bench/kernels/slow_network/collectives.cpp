// Collective operations. Those with a size per rank are held for the latency alone.
#include <sched.h>

#include "bench/kernels/slow_network/slow_network.hpp"

using heddle::slow_network::Clock;
using heddle::slow_network::network;

namespace {

int bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

int wait(int code, MPI_Comm ranks, int bytes) {
  const Clock::time_point end = Clock::now() + network().operation_time(ranks, bytes);
  while (Clock::now() < end) sched_yield();
  return code;
}

}  // namespace

// The blocking form of an operation, and the one with a request. Each argument in parentheses is a list.
#define UNPACK(...) __VA_ARGS__
#define HELD(Name, Iname, parameters, arguments, bytes)                                 \
  extern "C" int MPI_##Name(UNPACK parameters, MPI_Comm ranks) {                        \
    const int code = PMPI_##Name(UNPACK arguments, ranks);                              \
    return network().is_slow() ? wait(code, ranks, bytes) : code;                       \
  }                                                                                     \
  extern "C" int MPI_##Iname(UNPACK parameters, MPI_Comm ranks, MPI_Request* request) { \
    if (!network().is_slow()) return PMPI_##Iname(UNPACK arguments, ranks, request);    \
    MPI_Request inner = MPI_REQUEST_NULL;                                               \
    const int code = PMPI_##Iname(UNPACK arguments, ranks, &inner);                     \
    network().hold(inner, ranks, bytes, request);                                       \
    return code;                                                                        \
  }
HELD(Bcast, Ibcast, (void* data, int count, MPI_Datatype type, int root), (data, count, type, root),
     bytes_of(count, type))
HELD(Reduce, Ireduce, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op how, int root),
     (from, into, count, type, how, root), bytes_of(count, type))
HELD(Allreduce, Iallreduce, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op how),
     (from, into, count, type, how), bytes_of(count, type))
HELD(Scan, Iscan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op how),
     (from, into, count, type, how), bytes_of(count, type))
HELD(Exscan, Iexscan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op how),
     (from, into, count, type, how), bytes_of(count, type))
HELD(Reduce_scatter_block, Ireduce_scatter_block,
     (const void* from, void* into, int count, MPI_Datatype type, MPI_Op how), (from, into, count, type, how),
     bytes_of(count, type))
HELD(Reduce_scatter, Ireduce_scatter,
     (const void* from, void* into, const int counts[], MPI_Datatype type, MPI_Op how),
     (from, into, counts, type, how), 0)
HELD(Gather, Igather,
     (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type,
      int root),
     (from, count, type, into, in_count, in_type, root), 0)
HELD(Gatherv, Igatherv,
     (const void* from, int count, MPI_Datatype type, void* into, const int in_counts[], const int begins[],
      MPI_Datatype in_type, int root),
     (from, count, type, into, in_counts, begins, in_type, root), 0)
HELD(Scatter, Iscatter,
     (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type,
      int root),
     (from, count, type, into, in_count, in_type, root), 0)
HELD(Scatterv, Iscatterv,
     (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* into, int in_count,
      MPI_Datatype in_type, int root),
     (from, counts, begins, type, into, in_count, in_type, root), 0)
HELD(Allgather, Iallgather,
     (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type),
     (from, count, type, into, in_count, in_type), 0)
HELD(Allgatherv, Iallgatherv,
     (const void* from, int count, MPI_Datatype type, void* into, const int in_counts[], const int begins[],
      MPI_Datatype in_type),
     (from, count, type, into, in_counts, begins, in_type), 0)
HELD(Alltoall, Ialltoall,
     (const void* from, int count, MPI_Datatype type, void* into, int in_count, MPI_Datatype in_type),
     (from, count, type, into, in_count, in_type), 0)
HELD(Alltoallv, Ialltoallv,
     (const void* from, const int counts[], const int begins[], MPI_Datatype type, void* into,
      const int in_counts[], const int in_begins[], MPI_Datatype in_type),
     (from, counts, begins, type, into, in_counts, in_begins, in_type), 0)
HELD(Alltoallw, Ialltoallw,
     (const void* from, const int counts[], const int begins[], const MPI_Datatype types[], void* into,
      const int in_counts[], const int in_begins[], const MPI_Datatype in_types[]),
     (from, counts, begins, types, into, in_counts, in_begins, in_types), 0)
#undef HELD
#undef UNPACK

extern "C" int MPI_Barrier(MPI_Comm ranks) {
  const int code = PMPI_Barrier(ranks);
  return network().is_slow() ? wait(code, ranks, 0) : code;
}

extern "C" int MPI_Ibarrier(MPI_Comm ranks, MPI_Request* request) {
  if (!network().is_slow()) return PMPI_Ibarrier(ranks, request);
  MPI_Request inner = MPI_REQUEST_NULL;
  const int code = PMPI_Ibarrier(ranks, &inner);
  network().hold(inner, ranks, 0, request);
  return code;
}
