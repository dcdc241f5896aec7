// For programs that need a GPU: without one they say so and end with the status that ctest reports as
// skipped.
#ifndef HEDDLE_TESTS_RUNTIME_CUDA_GPU_H_
#define HEDDLE_TESTS_RUNTIME_CUDA_GPU_H_

#include <cuda_runtime_api.h>

#include "check.h"

enum { kSkipped = 77 };

#define CHECK_CUDA(call)                                                              \
  do {                                                                                \
    const cudaError_t error_ = (call);                                                \
    if (error_ != cudaSuccess) printf("%s: %s\n", #call, cudaGetErrorString(error_)); \
    CHECK(error_ == cudaSuccess);                                                     \
  } while (0)

static inline void need_a_gpu(void) {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) return;
  printf("skipped: there is no GPU here (%s)\n",
         error != cudaSuccess ? cudaGetErrorString(error) : "none is found");
  fflush(stdout);
  exit(kSkipped);
}

#endif
