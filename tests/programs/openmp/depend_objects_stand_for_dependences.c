// A depend object stands for its dependence in depend clauses; update changes its type; destroy ends it.
// OpenMP 5.1, 2.19.10 depobj construct.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 100 };
  int x = 0;
  int y = 0;
#pragma omp parallel shared(x, y)
#pragma omp single
  {
    omp_depend_t on_x;
    omp_depend_t on_y;
    for (int round = 0; round < kRounds; round++) {
#pragma omp depobj(on_x) depend(inout : x)
#pragma omp depobj(on_y) depend(in : y)
#pragma omp task depend(depobj : on_x) shared(x)
      {
        CHECK(x == round * 2);
        x++;
      }
#pragma omp task depend(inout : x) shared(x)
      x++;
#pragma omp depobj(on_x) update(in)
#pragma omp depobj(on_y) update(out)
      for (int reader = 0; reader < 5; reader++) {
#pragma omp task depend(depobj : on_x) shared(x)
        CHECK(x == round * 2 + 2);
      }
#pragma omp task depend(depobj : on_x, on_y) shared(x, y)
      {
        CHECK(y == x - 2);
        y = x;
      }
#pragma omp depobj(on_y) update(mutexinoutset)
#pragma omp task depend(depobj : on_y) shared(y)
      y += 0;
#pragma omp depobj(on_x) destroy
#pragma omp depobj(on_y) destroy
    }
  }
  CHECK(x == 2 * kRounds && y == x);
  return 0;
}
