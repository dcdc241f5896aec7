// taskwait depend(…) nowait (5.1).
#include <omp.h>

#include <unistd.h>
static int first, second;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : first)
    {
      usleep(2000);
      first = 1;
    }
#pragma omp taskwait depend(in : first) depend(out : second) nowait
#pragma omp task depend(in : second)
    second = first;
  }
  return second != 1;
}
