// transparent clause of task (6.0).
#include <omp.h>

#include <unistd.h>
static int value, seen;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task transparent
    {
#pragma omp task depend(out : value)
      {
        usleep(2000);
        value = 7;
      }
    }
#pragma omp taskwait
#pragma omp task depend(in : value)
    seen = value;
  }
  return seen != 7;
}
