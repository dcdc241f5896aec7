// An exception thrown and caught in the same structured block passes through no runtime frame: regions,
// tasks, loops, critical and single go on as if nothing had been. OpenMP 5.1, 2.6 parallel construct
// and 2.12.1 task construct, restrictions on exceptions.
#include <omp.h>

#include <stdexcept>
#include <string>

#include "check.h"

namespace {

void fail(int number) {
  throw std::runtime_error("number " + std::to_string(number));
}

int caught_in_a_tree(int depth) {
  int count = 0;
  for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task shared(count)
    {
      int below = caught_in_a_tree(depth - 1);
#pragma omp atomic
      count += below;
    }
  }
  try {
#pragma omp taskwait
    fail(depth);
  } catch (const std::runtime_error& error) {
    CHECK(error.what() == "number " + std::to_string(depth));
#pragma omp atomic
    count++;
  }
  return count;
}

}  // namespace

int main() {
  int caught = 0;
  int team = 0;
#pragma omp parallel shared(caught, team)
  {
    try {
      fail(omp_get_thread_num());
    } catch (const std::runtime_error&) {
#pragma omp atomic
      caught++;
    }
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; i++) {
      try {
        if (i % 3 == 0) fail(i);
      } catch (const std::exception&) {
#pragma omp critical
        {
          try {
            fail(i);
          } catch (...) {
#pragma omp atomic
            caught++;
          }
        }
      }
    }
#pragma omp single
    {
      team = omp_get_num_threads();
      CHECK(caught_in_a_tree(6) == 127);
    }
  }
  CHECK(caught == team + 34);
  return 0;
}
