/* heddle_cuda.h: tasks that wait for CUDA streams without keeping their thread; for C and C++, nvcc included.
 *
 * Needs CUDA's runtime API, 10.0 or later. On other OpenMP runtimes than libheddle it waits as CUDA does.
 */
#ifndef HEDDLE_CUDA_H
#define HEDDLE_CUDA_H

#include <cuda_runtime_api.h>
#include <stdint.h>

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* omp_fulfill_event(), under a name of its own: <omp.h> need not be there, and it may be missing at run time.
 */
HEDDLE_API void heddle_cuda_fulfill_(HEDDLE_EVENT_T event) __asm__("omp_fulfill_event");

#ifdef __cplusplus
}
#endif

static inline int heddle_cuda_can_suspend_(void) {
  return omp_task_continuation_event != NULL && omp_taskwait_detach != NULL && heddle_cuda_fulfill_ != NULL;
}

/* Called by a thread of CUDA's. The handle comes by value: the task may be gone as soon as it is fulfilled.
 */
static inline void CUDART_CB heddle_cuda_arrived_(void* event) {
  heddle_cuda_fulfill_((HEDDLE_EVENT_T)(uintptr_t)event);
}

/* Suspends the current task until all that is in the stream so far is done; its thread executes others
 * meanwhile. Returns what cudaStreamSynchronize() would: cudaSuccess, or an error of the stream or of earlier
 * calls. Where CUDA does not take the host function that wakes the task, it returns why, at once.
 * No thread polls: a thread of CUDA's wakes the task.
 * Requires: no capture of the stream is under way, and the stream is not destroyed before it returns.
 * Errors: CUDA calls no host function once the device has failed, so a task whose stream fails after the call
 * (a kernel that writes where it must not) waits for ever. */
static inline cudaError_t heddle_cuda_stream_synchronize(cudaStream_t stream) {
  HEDDLE_EVENT_T event;
  cudaError_t error;
  if (!heddle_cuda_can_suspend_()) return cudaStreamSynchronize(stream);
  event = omp_task_continuation_event();
  error = cudaLaunchHostFunc(stream, heddle_cuda_arrived_, (void*)(uintptr_t)event);
  if (error != cudaSuccess) heddle_cuda_fulfill_(event);
  omp_taskwait_detach(event); /* gives the event back, too */
  if (error != cudaSuccess) return error;
  error = cudaStreamQuery(stream);
  /* Others may have put more into the stream, and CUDA may not know yet that the host function has returned.
   */
  return error == cudaErrorNotReady ? cudaSuccess : error;
}

#endif
