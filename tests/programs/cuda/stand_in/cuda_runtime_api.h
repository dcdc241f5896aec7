// A stand-in for what heddle_cuda.h uses of CUDA's runtime API, for machines without a GPU. NOT CUDA: a
// stream is a thread that calls host functions in order; nothing else is there, and errors are what a test
// asks for.
#ifndef HEDDLE_TESTS_RUNTIME_CUDA_STAND_IN_CUDA_RUNTIME_API_H_
#define HEDDLE_TESTS_RUNTIME_CUDA_STAND_IN_CUDA_RUNTIME_API_H_

#include <pthread.h>
#include <stddef.h>

#define CUDART_CB

// Values of CUDA's.
typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = 719
} cudaError_t;

typedef void (*cudaHostFn_t)(void* argument);

enum { kStandInCapacity = 4096 };

typedef struct stand_in_stream {
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  struct {
    cudaHostFn_t function;
    void* argument;
  } queue[kStandInCapacity];
  unsigned long begun, put, done;  // functions
  int is_ending;
  cudaError_t error;    // that the stream has
  cudaError_t refusal;  // with which it takes no more host functions
  int synchronizations, queries;
}* cudaStream_t;

static inline void* stand_in_execute(void* argument) {
  cudaStream_t const stream = (cudaStream_t)argument;
  pthread_mutex_lock(&stream->mutex);
  for (;;) {
    while (stream->begun == stream->put && !stream->is_ending)
      pthread_cond_wait(&stream->changed, &stream->mutex);
    if (stream->begun == stream->put) break;
    const unsigned long turn = stream->begun++ % kStandInCapacity;
    const cudaHostFn_t function = stream->queue[turn].function;
    void* const its_argument = stream->queue[turn].argument;
    pthread_mutex_unlock(&stream->mutex);
    function(its_argument);
    pthread_mutex_lock(&stream->mutex);
    ++stream->done;
    pthread_cond_broadcast(&stream->changed);
  }
  pthread_mutex_unlock(&stream->mutex);
  return NULL;
}

static inline void stand_in_open(cudaStream_t stream) {
  pthread_mutex_init(&stream->mutex, NULL);
  pthread_cond_init(&stream->changed, NULL);
  pthread_create(&stream->thread, NULL, stand_in_execute, stream);
}

static inline void stand_in_close(cudaStream_t stream) {
  pthread_mutex_lock(&stream->mutex);
  stream->is_ending = 1;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->mutex);
  pthread_join(stream->thread, NULL);
}

// How many host functions were put into it so far.
static inline unsigned long stand_in_put(cudaStream_t stream) {
  pthread_mutex_lock(&stream->mutex);
  const unsigned long put = stream->put;
  pthread_mutex_unlock(&stream->mutex);
  return put;
}

// -- under CUDA's names

static inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* argument) {
  pthread_mutex_lock(&stream->mutex);
  const cudaError_t error = stream->refusal;
  if (error == cudaSuccess) {
    while (stream->put - stream->done == kStandInCapacity)
      pthread_cond_wait(&stream->changed, &stream->mutex);
    const unsigned long turn = stream->put++ % kStandInCapacity;
    stream->queue[turn].function = function;
    stream->queue[turn].argument = argument;
    pthread_cond_broadcast(&stream->changed);
  }
  pthread_mutex_unlock(&stream->mutex);
  return error;
}

static inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
  pthread_mutex_lock(&stream->mutex);
  ++stream->queries;
  cudaError_t error = stream->error;
  if (error == cudaSuccess && stream->put != stream->done) error = cudaErrorNotReady;
  pthread_mutex_unlock(&stream->mutex);
  return error;
}

static inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  pthread_mutex_lock(&stream->mutex);
  ++stream->synchronizations;
  for (const unsigned long put = stream->put; stream->done < put;)
    pthread_cond_wait(&stream->changed, &stream->mutex);
  const cudaError_t error = stream->error;
  pthread_mutex_unlock(&stream->mutex);
  return error;
}

#endif
