// Messages as tasks that wait: wait_for_request() suspends the task until its message is complete, as a
// blocking call of MPI would block its thread. The thread executes other tasks meanwhile.
#include <mpi.h>

#include "suspension/cholesky/tasks.h"
#include "suspension/requests.h"

const Form kForm = {"suspension", 1};

void create_send(const Matrix* matrix, int i, int k, int to) {
  const double* a = tile(matrix, i, k);
#pragma omp task depend(in : *a)
  {
    MPI_Request request;
    MPI_Isend(a, tile_values(matrix), MPI_DOUBLE, to, tag(matrix, i, k), MPI_COMM_WORLD, &request);
    wait_for_request(request);
  }
}

void create_receive(const Matrix* matrix, int i, int k) {
  double* a = tile(matrix, i, k);
#pragma omp task depend(out : *a)
  {
    MPI_Request request;
    MPI_Irecv(a, tile_values(matrix), MPI_DOUBLE, owner(matrix, k), tag(matrix, i, k), MPI_COMM_WORLD,
              &request);
    wait_for_request(request);
  }
}
