// A library that computes in parallel. Returns 0 where everything was executed.
int compute_in_parallel(void);

int compute_in_parallel(void) {
  int sum = 0, tasks = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic, 7)
    for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp single
    for (int i = 0; i < 50; ++i) {
#pragma omp task
      {
#pragma omp atomic
        ++tasks;
      }
    }
  }
  return sum == 499500 && tasks == 50 ? 0 : 1;
}
