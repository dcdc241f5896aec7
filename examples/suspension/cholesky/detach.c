// Messages as tasks with detach(event): such a task starts its message and returns; it is complete, and what
// depends on its tile may start, when the poller finds the message complete and fulfils the event.
#include <mpi.h>
#include <omp.h>

#include "suspension/cholesky/tasks.h"
#include "suspension/requests.h"

const Form kForm = {"detach", 0};

void create_send(const Matrix* matrix, int i, int k, int to) {
  const double* a = tile(matrix, i, k);
  omp_event_handle_t sent = 0;  // Clang warns otherwise; the construct sets it
#pragma omp task depend(in : *a) detach(sent)
  {
    MPI_Request request;
    MPI_Isend(a, tile_values(matrix), MPI_DOUBLE, to, tag(matrix, i, k), MPI_COMM_WORLD, &request);
    fulfil_when_complete(request, sent);
  }
}

void create_receive(const Matrix* matrix, int i, int k) {
  double* a = tile(matrix, i, k);
  omp_event_handle_t received = 0;  // Clang warns otherwise; the construct sets it
#pragma omp task depend(out : *a) detach(received)
  {
    MPI_Request request;
    MPI_Irecv(a, tile_values(matrix), MPI_DOUBLE, owner(matrix, k), tag(matrix, i, k), MPI_COMM_WORLD,
              &request);
    fulfil_when_complete(request, received);
  }
}
