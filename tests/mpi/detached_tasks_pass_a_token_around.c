/* Tasks whose messages are their events: what depends on a message begins when it is there, and a buffer is
 * used again when it was sent. A token goes around the ranks, many times, in several lanes at once. */
#include <stdlib.h>

#include "heddle_mpi.h"
#include "runtime/programs/check.h"

enum { kLanes = 20, kRounds = 30 };

static void pass_on(int rank, int ranks, long lanes[kLanes]) {
  const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int lane = 0; lane < kLanes; lane++) {
      long* token = &lanes[lane];
      omp_event_handle_t is_there, is_sent;
      if (rank == 0) {
#pragma omp task firstprivate(token) depend(inout : token[0])
        token[0] += 1;
      }
#pragma omp task firstprivate(token, lane, after, before, rank) depend(inout : token[0]) detach(is_sent)
      {
        MPI_Request request;
        if (rank == 0)
          MPI_Isend(token, 1, MPI_LONG, after, lane, MPI_COMM_WORLD, &request);
        else
          MPI_Irecv(token, 1, MPI_LONG, before, lane, MPI_COMM_WORLD, &request);
        heddle_mpi_detach(&request, is_sent);
        CHECK(request == MPI_REQUEST_NULL);
      }
      if (rank != 0) {
#pragma omp task firstprivate(token) depend(inout : token[0])
        token[0] += 1;
      }
#pragma omp task firstprivate(token, lane, after, before, rank) depend(inout : token[0]) detach(is_there)
      {
        MPI_Request request;
        if (rank == 0)
          MPI_Irecv(token, 1, MPI_LONG, before, lane, MPI_COMM_WORLD, &request);
        else
          MPI_Isend(token, 1, MPI_LONG, after, lane, MPI_COMM_WORLD, &request);
        heddle_mpi_detach(&request, is_there);
      }
    }
  }
  for (int lane = 0; lane < kLanes; lane++)
    CHECK(lanes[lane] == (long)kRounds * ranks - (ranks - 1 - rank) * (rank != 0));
}

int main(int argc, char** argv) {
  int provided, rank, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long lanes[kLanes] = {0};
  pass_on(rank, ranks, lanes);
  CHECK(heddle_mpi_outstanding() == 0);
  MPI_Finalize();
  return 0;
}
