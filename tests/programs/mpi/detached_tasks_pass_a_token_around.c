/* Tasks whose messages are their events: what depends on a message begins when it is there, and a buffer is
 * used again when it was sent. A token goes around the ranks, many times, in several lanes at once. */
#include "heddle_mpi.h"
#include "programs/openmp/check.h"

enum { kLanes = 20, kRounds = 30 };

// One of a rank's two messages a round: rank 0 sends first, the others receive first.
static void transfer(int sends, long* token, int lane, int before, int after, omp_event_handle_t is_over) {
  MPI_Request request;
  if (sends)
    MPI_Isend(token, 1, MPI_LONG, after, lane, MPI_COMM_WORLD, &request);
  else
    MPI_Irecv(token, 1, MPI_LONG, before, lane, MPI_COMM_WORLD, &request);
  heddle_mpi_detach(&request, is_over);
  CHECK(request == MPI_REQUEST_NULL);
}

static void pass_on(int rank, int ranks, long lanes[kLanes]) {
  const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int lane = 0; lane < kLanes; lane++) {
      long* token = &lanes[lane];
      omp_event_handle_t first_is_over, second_is_over;
      if (rank == 0) {
#pragma omp task firstprivate(token) depend(inout : token[0])
        token[0] += 1;
      }
#pragma omp task firstprivate(token, lane, after, before, rank) depend(inout : token[0]) detach(first_is_over)
      transfer(rank == 0, token, lane, before, after, first_is_over);
      if (rank != 0) {
#pragma omp task firstprivate(token) depend(inout : token[0])
        token[0] += 1;
      }
#pragma omp task firstprivate(token, lane, after, before, rank) depend(inout : token[0]) \
    detach(second_is_over)
      transfer(rank != 0, token, lane, before, after, second_is_over);
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
