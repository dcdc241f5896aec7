// OpenMP in static constructors, in static destructors and in functions registered with atexit().
#include <omp.h>

#include <cstdlib>

#include "check.h"

static int sum_in_parallel() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 5)
  for (int i = 0; i < 1000; ++i) sum += i;
  int tasks = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; ++i) {
#pragma omp task
    {
#pragma omp atomic
      ++tasks;
    }
  }
  return sum + tasks;
}

struct Object {
  Object() { CHECK(sum_in_parallel() == 499510); }
  ~Object() { CHECK(sum_in_parallel() == 499510); }
};

static Object before_and_after;

static void at_exit() {
  CHECK(sum_in_parallel() == 499510);
}

int main() {
  std::atexit(at_exit);
  CHECK(sum_in_parallel() == 499510);
  return 0;
}
