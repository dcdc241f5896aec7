// Tasks start kernels and wait for their streams suspended; what a kernel has written is there afterwards,
// and a launch that fails is reported by the wait as cudaStreamSynchronize() would report it.
#include <omp.h>

#include "gpu.h"
#include "heddle_cuda.h"

constexpr int kTasks = 32, kSteps = 10, kNumbers = 1 << 14;

__global__ void add(int* numbers, int count, int what) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) numbers[i] += what;
}

static void add_step_by_step(int task) {
  cudaStream_t stream;
  int *there, *host;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_CUDA(cudaMalloc(reinterpret_cast<void**>(&there), kNumbers * sizeof(int)));
  CHECK_CUDA(cudaMallocHost(reinterpret_cast<void**>(&host), kNumbers * sizeof(int)));
  CHECK_CUDA(cudaMemsetAsync(there, 0, kNumbers * sizeof(int), stream));
  int sum = 0;
  for (int step = 1; step <= kSteps; ++step) {
    add<<<(kNumbers + 255) / 256, 256, 0, stream>>>(there, kNumbers, task + step);
    CHECK_CUDA(cudaGetLastError());
    sum += task + step;
    CHECK_CUDA(cudaMemcpyAsync(host, there, kNumbers * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK_CUDA(heddle_cuda_stream_synchronize(stream));
    for (int i = 0; i < kNumbers; ++i) CHECK(host[i] == sum);
  }
  CHECK_CUDA(cudaFreeHost(host));
  CHECK_CUDA(cudaFree(there));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

int main() {
  need_a_gpu();
  CHECK(heddle_is_here());
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    add_step_by_step(i);
  }
  return 0;
}
