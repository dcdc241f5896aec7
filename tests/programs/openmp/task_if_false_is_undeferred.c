// A task with if(0) is executed at once: the encountering task goes on only when it is done, and it runs
// there. OpenMP 5.1, 2.12.1 task construct, if clause.
#include <omp.h>

#include "check.h"

static int tree(int depth) {
  if (depth == 0) return 1;
  int left = 0;
  int right = 0;
#pragma omp task shared(left) if (depth % 2 == 0)
  left = tree(depth - 1);
#pragma omp task shared(right) if (0)
  right = tree(depth - 1);
  CHECK(right == 1 << (depth - 1));
#pragma omp taskwait
  return left + right;
}

int main(void) {
  int order[300];
#pragma omp parallel
#pragma omp single
  {
    int thread = omp_get_thread_num();
    for (int i = 0; i < 300; i++) {
      int value = 0;
#pragma omp task shared(order)
      order[i] = i;
#pragma omp task if (0) shared(value)
      {
        CHECK(omp_get_thread_num() == thread);
        CHECK(!omp_in_final());
        value = i + 1;
      }
      CHECK(value == i + 1);
      CHECK(omp_get_thread_num() == thread);
    }
    CHECK(tree(10) == 1024);
  }
  for (int i = 0; i < 300; i++) CHECK(order[i] == i);
  return 0;
}
