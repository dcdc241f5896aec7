// Cholesky factorisation as programs of MPI and parallel loops have it: the ranks exchange a whole panel
// between two loops and wait for all of it, while no thread computes.
#include <mpi.h>
#include <stdlib.h>

#include "suspension/cholesky/tiles.h"

const Form kForm = {"original", 0};

// Every rank has the panel of column k when it returns.
static void broadcast_panel(const Matrix* matrix, int k, MPI_Request* requests) {
  int count = 0;
  for (int i = k + 1; i < matrix->tiles; i++) {
    double* a = tile(matrix, i, k);
    if (is_own(matrix, k)) {
      for (int to = 0; to < matrix->ranks.count; to++)
        if (to != matrix->ranks.rank)
          MPI_Isend(a, tile_values(matrix), MPI_DOUBLE, to, i, MPI_COMM_WORLD, &requests[count++]);
    } else {
      MPI_Irecv(a, tile_values(matrix), MPI_DOUBLE, owner(matrix, k), i, MPI_COMM_WORLD, &requests[count++]);
    }
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

void factorise(Matrix* matrix) {
  MPI_Request* requests = malloc((size_t)(matrix->tiles * matrix->ranks.count) * sizeof *requests);
  if (requests == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int k = 0; k < matrix->tiles; k++) {
    if (is_own(matrix, k)) {
      factorise_diagonal(matrix, k);
#pragma omp parallel for
      for (int i = k + 1; i < matrix->tiles; i++) solve_panel(matrix, i, k);
    }
    broadcast_panel(matrix, k, requests);
#pragma omp parallel for schedule(dynamic)
    for (int j = k + 1; j < matrix->tiles; j++)
      if (is_own(matrix, j))
        for (int i = j; i < matrix->tiles; i++) update(matrix, i, j, k);
  }
  free(requests);
}
