// task_iteration directive in taskloop (6.0).
#include <omp.h>

static int cells[20];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop
  for (int i = 1; i < 20; i++) {
#pragma omp task_iteration depend(in : cells[i - 1]) depend(out : cells[i])
    cells[i] = cells[i - 1] + 1;
  }
  return cells[19] != 19;
}
