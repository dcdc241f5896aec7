// The logic of heddle_cuda.h, against a stand-in for CUDA (stand_in/): no GPU and nothing of CUDA's takes
// part.
//
// A task that waits for a stream leaves its thread to others, goes on when the stream has come there, reports
// the stream's errors, and gives its event back where the stream takes no host function. With the argument
// "elsewhere" the runtime is another one, and the wait is the stream's own.
#include <omp.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "heddle_cuda.h"

enum { kStreams = 4, kTasks = 40, kSteps = 10 };

static struct stand_in_stream g_streams[kStreams];

static void last_for_100_us(void* argument) {
  const struct timespec time = {0, 100000};
  nanosleep(&time, NULL);
  ++*(int*)argument;
}

static void one_after_the_other(cudaStream_t stream) {
  int done = 0;
  for (int i = 1; i <= 5; ++i) {
    CHECK(cudaLaunchHostFunc(stream, last_for_100_us, &done) == cudaSuccess);
    CHECK(heddle_cuda_stream_synchronize(stream) == cudaSuccess);
    CHECK(done == i);
  }
}

// Each waits for its own work, several in the same stream.
static void many_tasks_wait(void) {
  static int done[kTasks];
  memset(done, 0, sizeof done);
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    for (int step = 1; step <= kSteps; ++step) {
      cudaStream_t const stream = &g_streams[i % kStreams];
      CHECK(cudaLaunchHostFunc(stream, last_for_100_us, &done[i]) == cudaSuccess);
      CHECK(heddle_cuda_stream_synchronize(stream) == cudaSuccess);
      CHECK(done[i] == step);
    }
  }
#pragma omp taskwait
  for (int i = 0; i < kTasks; ++i) CHECK(done[i] == kSteps);
}

// What the stream waits for is done by a task that, on one thread, can run only if the waiting one has left.
static void wait_for_signal(void* argument) {
  const struct timespec time = {0, 50000};
  while (__atomic_load_n((int*)argument, __ATOMIC_ACQUIRE) == 0) nanosleep(&time, NULL);
}

static void the_thread_executes_others_meanwhile(void) {
  for (int i = 0; i < 20; ++i) {
    int signal[1] = {0};
    cudaStream_t const stream = &g_streams[i % kStreams];
#pragma omp task shared(signal)
    {
      CHECK(cudaLaunchHostFunc(stream, wait_for_signal, signal) == cudaSuccess);
      CHECK(heddle_cuda_stream_synchronize(stream) == cudaSuccess);
      CHECK(signal[0] == 1);
    }
#pragma omp task shared(signal)
    __atomic_store_n(&signal[0], 1, __ATOMIC_RELEASE);
#pragma omp taskwait
  }
}

static void errors_are_the_streams(cudaStream_t stream) {
  int done = 0;
  stream->error = cudaErrorLaunchFailure;
  CHECK(cudaLaunchHostFunc(stream, last_for_100_us, &done) == cudaSuccess);
  CHECK(heddle_cuda_stream_synchronize(stream) == cudaErrorLaunchFailure);
  CHECK(done == 1);
  stream->error = cudaSuccess;
}

// Each would leak an event otherwise, 64 bytes, which AddressSanitizer cannot see: they are given back to a
// list.
static void refused_functions_are_reported(cudaStream_t stream) {
  stream->refusal = cudaErrorInvalidResourceHandle;
  for (int i = 0; i < 1000; ++i)
    CHECK(heddle_cuda_stream_synchronize(stream) == cudaErrorInvalidResourceHandle);
  stream->refusal = cudaSuccess;
  CHECK(heddle_cuda_stream_synchronize(stream) == cudaSuccess);
}

// Work that is put behind is not waited for, and is no error.
static void later_work_is_not_waited_for(cudaStream_t stream) {
  int first[1] = {0}, later[1] = {0};
  const unsigned long put = stand_in_put(stream);
#pragma omp task shared(first, later)
  {
    CHECK(cudaLaunchHostFunc(stream, wait_for_signal, first) == cudaSuccess);
    CHECK(heddle_cuda_stream_synchronize(stream) == cudaSuccess);
    __atomic_store_n(&later[0], 1, __ATOMIC_RELEASE);
  }
  while (stand_in_put(stream) < put + 2) {  // the second is what wakes the task
#pragma omp taskyield
  }
  CHECK(cudaLaunchHostFunc(stream, wait_for_signal, later) == cudaSuccess);
  __atomic_store_n(&first[0], 1, __ATOMIC_RELEASE);
#pragma omp taskwait
  CHECK(heddle_cuda_stream_synchronize(stream) == cudaSuccess);
}

static void check_no_thread_waited(int is_elsewhere) {
  int synchronizations = 0, queries = 0;
  for (int i = 0; i < kStreams; ++i) {
    synchronizations += g_streams[i].synchronizations;
    queries += g_streams[i].queries;
  }
  CHECK((synchronizations != 0) == is_elsewhere);
  CHECK((queries != 0) == !is_elsewhere);
}

int main(int count, char** arguments) {
  const int is_elsewhere = count > 1 && strcmp(arguments[1], "elsewhere") == 0;
  CHECK(heddle_is_here() == !is_elsewhere);
  for (int i = 0; i < kStreams; ++i) stand_in_open(&g_streams[i]);
  one_after_the_other(&g_streams[0]);
#pragma omp parallel
  {
#pragma omp critical
    one_after_the_other(&g_streams[1]);
#pragma omp barrier
#pragma omp single
    {
      many_tasks_wait();
      if (!is_elsewhere) {
        the_thread_executes_others_meanwhile();
        later_work_is_not_waited_for(&g_streams[0]);
        refused_functions_are_reported(&g_streams[2]);
      }
      errors_are_the_streams(&g_streams[3]);
    }
  }
  check_no_thread_waited(is_elsewhere);
  for (int i = 0; i < kStreams; ++i) stand_in_close(&g_streams[i]);
}
