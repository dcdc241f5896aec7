/* Two ranks and one fault, by its name: a task of rank 0 waits for a message that never comes, or not as it
 * should. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "heddle_mpi.h"

enum { kTag = 7 };

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const char* const fault = argv[1];
  int provided, rank, sent = 1;
  int values[2] = {0, 0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(fault, "killed") == 0 && rank == 1) raise(SIGKILL);
  if (strcmp(fault, "truncated") == 0 && rank == 1) MPI_Send(values, 2, MPI_INT, 0, kTag, MPI_COMM_WORLD);
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t done;
    if (rank == 0) {
#pragma omp task detach(done)
      {
        static int into;
        MPI_Request request;
        MPI_Irecv(&into, 1, MPI_INT, 1, kTag, MPI_COMM_WORLD, &request);
        heddle_mpi_detach(&request, done);
      }
    } else if (strcmp(fault, "another-tag") == 0) {
#pragma omp task shared(sent) detach(done)
      {
        MPI_Request request;
        MPI_Issend(&sent, 1, MPI_INT, 0, kTag + 1, MPI_COMM_WORLD, &request);
        heddle_mpi_detach(&request, done);
      }
    }
#pragma omp taskwait
  }
  MPI_Finalize();
  puts("it ended"); /* which no fault lets happen */
  return 0;
}
