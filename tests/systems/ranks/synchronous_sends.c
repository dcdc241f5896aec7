// Every send waits for its receive, as if no message were small enough to be sent ahead (an eager limit of 0,
// which not every MPI can be set to). Loaded before the MPI library.
#include <mpi.h>

int MPI_Send(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm ranks) {
  return PMPI_Ssend(data, count, type, rank, tag, ranks);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int rank, int tag, MPI_Comm ranks,
              MPI_Request* request) {
  return PMPI_Issend(data, count, type, rank, tag, ranks, request);
}
