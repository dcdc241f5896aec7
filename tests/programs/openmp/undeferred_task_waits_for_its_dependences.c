// A task with if(0) and dependences starts after its predecessors and is done before the encountering task
// goes on; siblings it does not depend on may still be pending. OpenMP 5.1, 2.12.1 task construct; 2.19.11
// depend clause.
#include <omp.h>

#include "check.h"

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 100; round++) {
    int x = 0;
    int y = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : y) shared(y)
    y = 1;
#pragma omp task depend(out : x) shared(x)
    x = 1;
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : x) shared(x)
      x = x * 2 + 1;
    }
#pragma omp task depend(in : x) shared(x) if (0)
    CHECK(x == 31);
    CHECK(x == 31);
#pragma omp task depend(inout : x) shared(x) if (0)
    x = 100;
    CHECK(x == 100);
#pragma omp task depend(in : x) shared(x)
    CHECK(x == 100);
    omp_fulfill_event(event);
#pragma omp task depend(in : y) shared(y) if (0)
    CHECK(y == 1);
#pragma omp taskwait
  }
  return 0;
}
