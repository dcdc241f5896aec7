/* Of several requests the last one counts; null requests are complete; continuation events work as well; and
 * requests that are complete when they are bound are over at once. */
#include "heddle_mpi.h"
#include "programs/openmp/check.h"

enum { kMessages = 64, kRounds = 20 };

static void exchange_all(int rank, int ranks) {
  int sent[kMessages], received[kMessages];
  const int other = ranks > 1 ? rank ^ 1 : rank;
  if (other >= ranks) return;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    omp_event_handle_t are_there;
#pragma omp task shared(received, sent) firstprivate(round, other) depend(out : received) detach(are_there)
    {
      MPI_Request requests[2 * kMessages + 1];
      for (int i = 0; i < kMessages; i++) {
        sent[i] = 1000 * round + i;
        received[i] = -1;
        MPI_Irecv(&received[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
      }
      for (int i = 0; i < kMessages; i++)
        MPI_Isend(&sent[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[kMessages + i]);
      requests[2 * kMessages] = MPI_REQUEST_NULL;
      heddle_mpi_detach_all(2 * kMessages + 1, requests, are_there);
      for (int i = 0; i <= 2 * kMessages; i++) CHECK(requests[i] == MPI_REQUEST_NULL);
    }
#pragma omp task shared(received) firstprivate(round) depend(inout : received)
    for (int i = 0; i < kMessages; i++) CHECK(received[i] == 1000 * round + i);
  }
}

static void nothing_is_complete_at_once(void) {
  int was_executed = 0, first = 0;
#pragma omp parallel shared(was_executed, first)
#pragma omp single
  {
    omp_event_handle_t one, none;
#pragma omp task depend(out : first) detach(one)
    {
      MPI_Request request = MPI_REQUEST_NULL;
      heddle_mpi_detach(&request, one);
    }
#pragma omp task depend(inout : first) detach(none)
    heddle_mpi_detach_all(0, NULL, none);
#pragma omp task depend(in : first) shared(was_executed, first)
    was_executed = 1 + first;
  }
  CHECK(was_executed == 1);
}

static void tasks_wait_for_messages_in_their_middle(int rank, int ranks) {
  const int other = ranks > 1 ? rank ^ 1 : rank;
  if (other >= ranks) return;
  int sums[kMessages] = {0};
#pragma omp parallel shared(sums)
#pragma omp single
  for (int i = 0; i < kMessages; i++) {
#pragma omp task shared(sums) firstprivate(i, other)
    {
      int mine = i, theirs = -1;
      MPI_Request requests[2];
      MPI_Irecv(&theirs, 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(&mine, 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[1]);
      const omp_event_handle_t event = omp_task_continuation_event();
      heddle_mpi_detach_all(2, requests, event);
      omp_taskwait_detach(event);
      sums[i] = mine + theirs;
    }
  }
  for (int i = 0; i < kMessages; i++) CHECK(sums[i] == 2 * i);
}

int main(int argc, char** argv) {
  int provided, rank, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  nothing_is_complete_at_once();
  exchange_all(rank, ranks);
  tasks_wait_for_messages_in_their_middle(rank, ranks);
  CHECK(heddle_mpi_outstanding() == 0);
  MPI_Finalize();
  return 0;
}
