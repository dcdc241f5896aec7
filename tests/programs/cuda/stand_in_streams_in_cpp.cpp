// heddle_cuda.h in C++, also without <omp.h> before it; against the stand-in for CUDA.
#include "heddle_cuda.h"
// Behind it: the two do not contradict each other.
#include <omp.h>

#include "check.h"

int main() {
  static stand_in_stream stream;
  stand_in_open(&stream);
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp single
    for (int i = 0; i < 10; ++i) {
#pragma omp task
      CHECK(heddle_cuda_stream_synchronize(&stream) == cudaSuccess);
    }
    sum += 1;
  }
  CHECK(sum == omp_get_max_threads());
  CHECK(stream.synchronizations == 0 && stream.queries == 10);
  stand_in_close(&stream);
}
