// omp_pause_resource_all(omp_pause_stop_tool) finalises the tool: it is told of nothing that comes later, and
// of nothing again at the program's end. For one device it fails, and in a region as well. OpenMP 6.0,
// pause_resource routines.
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>

#include "check.h"

enum { kStopTool = 3 };  // omp_pause_stop_tool, which compilers of today do not name yet

static int regions = 0, threads = 0, finalized = 0;

static void parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* region, unsigned size,
                           int flags, const void* where) {
  (void)task, (void)frame, (void)region, (void)size, (void)flags, (void)where;
  regions++;
}

static void thread_begin(ompt_thread_t kind, ompt_data_t* thread) {
  (void)kind, (void)thread;
  __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
}
static void thread_end(ompt_data_t* thread) {
  (void)thread;
  __atomic_sub_fetch(&threads, 1, __ATOMIC_RELAXED);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_parallel_begin, (ompt_callback_t)parallel_begin);
  set(ompt_callback_thread_begin, (ompt_callback_t)thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)thread_end);
  return 1;
}

static void finalize(ompt_data_t* data) {
  (void)data;
  finalized++;
}

static ompt_start_tool_result_t tool = {initialize, finalize, {0}};

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  return &tool;
}

static int sum_of_a_region(void) {
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(sum)
    {
#pragma omp atomic
      sum++;
    }
  }
  return sum;
}

int main(void) {
  CHECK(sum_of_a_region() == 10);
  CHECK(regions == 1 && finalized == 0);
  CHECK(omp_pause_resource((omp_pause_resource_t)kStopTool, omp_get_initial_device()) != 0);
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    CHECK(omp_pause_resource_all((omp_pause_resource_t)kStopTool) != 0);
  }
  CHECK(regions == 2 && finalized == 0);
  CHECK(omp_pause_resource_all((omp_pause_resource_t)kStopTool) == 0);
  CHECK(finalized == 1);
  CHECK(__atomic_load_n(&threads, __ATOMIC_RELAXED) == 0);
  CHECK(sum_of_a_region() == 10);
  CHECK(regions == 2);
  CHECK(omp_pause_resource_all((omp_pause_resource_t)kStopTool) == 0);
  CHECK(finalized == 1);
  return 0;
}
