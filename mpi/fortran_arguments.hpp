// Fortran's arguments as C has them: handles are numbers, constants are addresses of their own, statuses are
// C's word by word.
//
// The operations that are started, with Fortran's parameters and C's arguments: of each OP(blocking name,
// C's, non-blocking name, C's, parameters, arguments) is written.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace heddle::mpi::fortran {

static_assert(std::is_same_v<MPI_Fint, int>, "numbers and lists of numbers are handed on as they are");

// In MPICH and in Open MPI a Fortran status is a C one.
inline constexpr std::size_t kStatusWords = sizeof(MPI_Status) / sizeof(MPI_Fint);
static_assert(sizeof(MPI_Status) % sizeof(MPI_Fint) == 0);

inline MPI_Status* status(MPI_Fint* given) {
  const void* const ignored = given;
  if (ignored == MPI_F_STATUS_IGNORE || ignored == MPI_F_STATUSES_IGNORE) return MPI_STATUS_IGNORE;
#ifdef MPICH_VERSION  // mpi_f08's are others
  if (ignored == MPI_F08_STATUS_IGNORE || ignored == MPI_F08_STATUSES_IGNORE) return MPI_STATUS_IGNORE;
#endif
  return reinterpret_cast<MPI_Status*>(given);
}

/// Data: MPI_BOTTOM and MPI_IN_PLACE are addresses of Fortran's.
void* data(void* given);

inline MPI_Datatype type(const MPI_Fint* given) {
  return MPI_Type_f2c(*given);
}
inline MPI_Comm comm(const MPI_Fint* given) {
  return MPI_Comm_f2c(*given);
}
inline MPI_Op op(const MPI_Fint* given) {
  return MPI_Op_f2c(*given);
}

/// One of each rank: of the other group, where there are two.
inline std::vector<MPI_Datatype> types(const MPI_Fint* given, const MPI_Fint* ranks) {
  int has_two_groups = 0, size = 0;
  MPI_Comm_test_inter(comm(ranks), &has_two_groups);
  (has_two_groups != 0 ? MPI_Comm_remote_size : MPI_Comm_size)(comm(ranks), &size);
  std::vector<MPI_Datatype> result;
  for (int i = 0; i < size; ++i) result.push_back(type(given + i));
  return result;
}

/// An error of mpi_f08 may be absent.
inline void tell(MPI_Fint* error, int code) {
  if (error != nullptr) *error = code;
}

using Number = const MPI_Fint*;  // or a list, or a handle

}  // namespace heddle::mpi::fortran

// clang-format off
#define HEDDLE_FORTRAN_SEND(OP, name, Name, iname, Iname) \
  OP(name, Name, iname, Iname, (void* from, Number count, Number kind, Number to, Number tag, Number ranks), (data(from), *count, type(kind), *to, *tag, comm(ranks)))
#define HEDDLE_FORTRAN_SENDS(OP) \
  HEDDLE_FORTRAN_SEND(OP, send, Send, isend, Isend) \
  HEDDLE_FORTRAN_SEND(OP, bsend, Bsend, ibsend, Ibsend) \
  HEDDLE_FORTRAN_SEND(OP, rsend, Rsend, irsend, Irsend) \
  HEDDLE_FORTRAN_SEND(OP, ssend, Ssend, issend, Issend)

#define HEDDLE_FORTRAN_BARRIER(OP) \
  OP(barrier, Barrier, ibarrier, Ibarrier, (Number ranks), (comm(ranks)))

#define HEDDLE_FORTRAN_COLLECTIVES(OP) \
  OP(bcast, Bcast, ibcast, Ibcast, (void* both, Number count, Number kind, Number root, Number ranks), (data(both), *count, type(kind), *root, comm(ranks))) \
  OP(reduce, Reduce, ireduce, Ireduce, (void* from, void* into, Number count, Number kind, Number how, Number root, Number ranks), (data(from), data(into), *count, type(kind), op(how), *root, comm(ranks))) \
  OP(allreduce, Allreduce, iallreduce, Iallreduce, (void* from, void* into, Number count, Number kind, Number how, Number ranks), (data(from), data(into), *count, type(kind), op(how), comm(ranks))) \
  OP(scan, Scan, iscan, Iscan, (void* from, void* into, Number count, Number kind, Number how, Number ranks), (data(from), data(into), *count, type(kind), op(how), comm(ranks))) \
  OP(exscan, Exscan, iexscan, Iexscan, (void* from, void* into, Number count, Number kind, Number how, Number ranks), (data(from), data(into), *count, type(kind), op(how), comm(ranks))) \
  OP(reduce_scatter, Reduce_scatter, ireduce_scatter, Ireduce_scatter, (void* from, void* into, Number counts, Number kind, Number how, Number ranks), (data(from), data(into), counts, type(kind), op(how), comm(ranks))) \
  OP(reduce_scatter_block, Reduce_scatter_block, ireduce_scatter_block, Ireduce_scatter_block, (void* from, void* into, Number count, Number kind, Number how, Number ranks), (data(from), data(into), *count, type(kind), op(how), comm(ranks))) \
  OP(gather, Gather, igather, Igather, (void* from, Number count, Number kind, void* into, Number in_count, Number in_kind, Number root, Number ranks), (data(from), *count, type(kind), data(into), *in_count, type(in_kind), *root, comm(ranks))) \
  OP(gatherv, Gatherv, igatherv, Igatherv, (void* from, Number count, Number kind, void* into, Number in_counts, Number begins, Number in_kind, Number root, Number ranks), (data(from), *count, type(kind), data(into), in_counts, begins, type(in_kind), *root, comm(ranks))) \
  OP(scatter, Scatter, iscatter, Iscatter, (void* from, Number count, Number kind, void* into, Number in_count, Number in_kind, Number root, Number ranks), (data(from), *count, type(kind), data(into), *in_count, type(in_kind), *root, comm(ranks))) \
  OP(scatterv, Scatterv, iscatterv, Iscatterv, (void* from, Number counts, Number begins, Number kind, void* into, Number in_count, Number in_kind, Number root, Number ranks), (data(from), counts, begins, type(kind), data(into), *in_count, type(in_kind), *root, comm(ranks))) \
  OP(allgather, Allgather, iallgather, Iallgather, (void* from, Number count, Number kind, void* into, Number in_count, Number in_kind, Number ranks), (data(from), *count, type(kind), data(into), *in_count, type(in_kind), comm(ranks))) \
  OP(allgatherv, Allgatherv, iallgatherv, Iallgatherv, (void* from, Number count, Number kind, void* into, Number in_counts, Number begins, Number in_kind, Number ranks), (data(from), *count, type(kind), data(into), in_counts, begins, type(in_kind), comm(ranks))) \
  OP(alltoall, Alltoall, ialltoall, Ialltoall, (void* from, Number count, Number kind, void* into, Number in_count, Number in_kind, Number ranks), (data(from), *count, type(kind), data(into), *in_count, type(in_kind), comm(ranks))) \
  OP(alltoallv, Alltoallv, ialltoallv, Ialltoallv, (void* from, Number counts, Number begins, Number kind, void* into, Number in_counts, Number in_begins, Number in_kind, Number ranks), (data(from), counts, begins, type(kind), data(into), in_counts, in_begins, type(in_kind), comm(ranks))) \
  OP(alltoallw, Alltoallw, ialltoallw, Ialltoallw, (void* from, Number counts, Number begins, Number kinds, void* into, Number in_counts, Number in_begins, Number in_kinds, Number ranks), (data(from), counts, begins, types(kinds, ranks).data(), data(into), in_counts, in_begins, types(in_kinds, ranks).data(), comm(ranks)))
// clang-format on
