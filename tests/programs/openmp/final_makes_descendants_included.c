// Tasks generated in a final task are final and included: executed at once, by the same thread, in order.
// OpenMP 5.1, 2.12.1 task construct, final clause; 3.4.2 omp_in_final.
#include <omp.h>

#include "check.h"

static int descend(int depth) {
  CHECK(omp_in_final());
  int thread = omp_get_thread_num();
  int count = 0;
#pragma omp task shared(count)
  {
    CHECK(omp_in_final() && omp_get_thread_num() == thread);
    count = depth > 0 ? descend(depth - 1) + 1 : 1;
  }
  CHECK(count == depth + 1);
#pragma omp task untied shared(count) depend(inout : count)
  {
    CHECK(omp_in_final() && omp_get_thread_num() == thread);
    count += 1000;
  }
  CHECK(count == depth + 1001);
  return depth + 1;
}

// A function of its own: Clang's optimiser takes two calls of omp_in_final() in one function for the same.
__attribute__((noinline)) static void expect_final(int expected) {
  CHECK(omp_in_final() == expected);
}

int main(void) {
  int results[60] = {0};
  CHECK(!omp_in_final());
#pragma omp parallel
  {
    CHECK(!omp_in_final());
#pragma omp single
    for (int i = 0; i < 60; i++) {
#pragma omp task final(i % 2 == 0) shared(results)
      {
        CHECK(omp_in_final() == (i % 2 == 0));
        results[i] = omp_in_final() ? descend(i % 9) : i % 9 + 1;
#pragma omp task mergeable
        CHECK(omp_in_final() == (i % 2 == 0));
      }
#pragma omp task final(1) if (0)
      expect_final(1);
      expect_final(0);
    }
  }
  for (int i = 0; i < 60; i++) CHECK(results[i] == i % 9 + 1);
  return 0;
}
