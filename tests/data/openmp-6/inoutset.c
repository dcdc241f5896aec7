// depend(inoutset: …) (5.1).
#include <omp.h>

static int cell, seen;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inoutset : cell)
#pragma omp atomic
      cell++;
    }
#pragma omp task depend(in : cell)
    seen = cell;
  }
  return seen != 4;
}
