// Tasks copy to the GPU and back, and wait for their streams suspended: each finds its own data, and on one
// thread all copies are under way at a time.
#include <omp.h>
#include <string.h>

#include "gpu.h"
#include "heddle_cuda.h"

enum { kTasks = 32, kRounds = 10, kNumbers = 1 << 16 };

static int g_waiting, g_most_waiting;

static void copy_there_and_back(int task, cudaStream_t stream) {
  const size_t bytes = kNumbers * sizeof(int);
  int *there, *host;
  CHECK_CUDA(cudaMalloc((void**)&there, bytes));
  CHECK_CUDA(cudaMallocHost((void**)&host, bytes));
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kNumbers; ++i) host[i] = task * 1000003 + round * 101 + i;
    CHECK_CUDA(cudaMemcpyAsync(there, host, bytes, cudaMemcpyHostToDevice, stream));
    CHECK_CUDA(heddle_cuda_stream_synchronize(stream));
    memset(host, 0, bytes);
    CHECK_CUDA(cudaMemcpyAsync(host, there, bytes, cudaMemcpyDeviceToHost, stream));
    const int waiting = __atomic_add_fetch(&g_waiting, 1, __ATOMIC_ACQ_REL);
    if (waiting > __atomic_load_n(&g_most_waiting, __ATOMIC_RELAXED))
      __atomic_store_n(&g_most_waiting, waiting, __ATOMIC_RELAXED);
    CHECK_CUDA(heddle_cuda_stream_synchronize(stream));
    __atomic_sub_fetch(&g_waiting, 1, __ATOMIC_ACQ_REL);
    for (int i = 0; i < kNumbers; ++i) CHECK(host[i] == task * 1000003 + round * 101 + i);
  }
  CHECK_CUDA(cudaFreeHost(host));
  CHECK_CUDA(cudaFree(there));
}

// Two tasks share a stream: either waits for both's work, which is no error.
static void tasks_have_streams(void) {
  cudaStream_t streams[kTasks / 2];
  for (int i = 0; i < kTasks / 2; ++i)
    CHECK_CUDA(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(streams) firstprivate(i)
    copy_there_and_back(i, streams[i / 2]);
  }
  for (int i = 0; i < kTasks / 2; ++i) CHECK_CUDA(cudaStreamDestroy(streams[i]));
}

// The stream waits for a host function, which waits for a task: on one thread for one that runs meanwhile.
static void wait_for_signal(void* signal) {
  while (__atomic_load_n((int*)signal, __ATOMIC_ACQUIRE) == 0) continue;
}

static void the_thread_executes_others_meanwhile(void) {
  cudaStream_t stream;
  int signal[1] = {0};
  CHECK_CUDA(cudaStreamCreate(&stream));
#pragma omp parallel shared(signal)
#pragma omp single
  {
#pragma omp task
    {
      CHECK_CUDA(cudaLaunchHostFunc(stream, wait_for_signal, signal));
      CHECK_CUDA(heddle_cuda_stream_synchronize(stream));
      CHECK(signal[0] == 1);
    }
#pragma omp task
    __atomic_store_n(&signal[0], 1, __ATOMIC_RELEASE);
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
}

int main(void) {
  need_a_gpu();
  CHECK(heddle_is_here());
  CHECK_CUDA(heddle_cuda_stream_synchronize(0));  // the default stream, outside of regions
  tasks_have_streams();
  the_thread_executes_others_meanwhile();
  printf("at most %d tasks waited at a time\n", g_most_waiting);
}
