// Cholesky factorisation by tasks: each step of each tile is a task that depends on tiles, and so is each
// message. A rank creates them all at once; what has arrived decides which column is worked on.
#include "suspension/cholesky/tasks.h"

#include "suspension/requests.h"

static void create_panel(const Matrix* matrix, int k) {
  const double* diagonal = tile(matrix, k, k);
#pragma omp task depend(inout : *diagonal)
  factorise_diagonal(matrix, k);
  for (int i = k + 1; i < matrix->tiles; i++) {
    const double* a = tile(matrix, i, k);
#pragma omp task depend(in : *diagonal) depend(inout : *a)
    solve_panel(matrix, i, k);
    for (int to = 0; to < matrix->ranks.count; to++)
      if (to != matrix->ranks.rank) create_send(matrix, i, k, to);
  }
}

static void create_updates(const Matrix* matrix, int k) {
  for (int j = k + 1; j < matrix->tiles; j++) {
    if (!is_own(matrix, j)) continue;
    for (int i = j; i < matrix->tiles; i++) {
      const double *left = tile(matrix, i, k), *right = tile(matrix, j, k), *a = tile(matrix, i, j);
#pragma omp task depend(in : *left, *right) depend(inout : *a)
      update(matrix, i, j, k);
    }
  }
}

void factorise(Matrix* matrix) {
  start_polling();
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < matrix->tiles; k++) {
    if (is_own(matrix, k)) {
      create_panel(matrix, k);
    } else {
      for (int i = k + 1; i < matrix->tiles; i++) create_receive(matrix, i, k);
    }
    create_updates(matrix, k);
  }
  stop_polling();
}
