/* A receive that nobody sends to: MPI_Finalize() says so. The event belongs to nobody who waits. */
#include "heddle_mpi.h"
#include "programs/openmp/check.h"

int main(int argc, char** argv) {
  int provided, never;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Request request;
  MPI_Irecv(&never, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
  heddle_mpi_detach(&request, omp_task_continuation_event());
  CHECK(heddle_mpi_outstanding() == 1);
  MPI_Finalize();
  return 0;
}
