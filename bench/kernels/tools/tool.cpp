// Two tools of OpenMP's tools interface for bench/studies/tools_overhead.py, to see what the interface costs
// by itself: one asks to be told nothing; with -DEVERYTHING the other is told of all events of the host, and
// does nothing then.
#include <initializer_list>

#include "runtime/include/omp-tools.h"

namespace {

#ifdef EVERYTHING
constexpr bool kEverything = true;
#else
constexpr bool kEverything = false;
#endif

// Callbacks have different parameters. By the calling convention of x86-64 and AArch64 a function that takes
// none may be called with any.
void does_nothing() {}

int initialize(ompt_function_lookup_t look_up, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(look_up("ompt_set_callback"));
  if (set == nullptr) return 0;
  if (!kEverything) return 1;
  for (const ompt_callbacks_t event : {ompt_callback_thread_begin,    ompt_callback_thread_end,
                                       ompt_callback_parallel_begin,  ompt_callback_parallel_end,
                                       ompt_callback_task_create,     ompt_callback_task_schedule,
                                       ompt_callback_implicit_task,   ompt_callback_mutex_released,
                                       ompt_callback_dependences,     ompt_callback_sync_region,
                                       ompt_callback_task_dependence, ompt_callback_work,
                                       ompt_callback_masked,          ompt_callback_sync_region_wait,
                                       ompt_callback_lock_init,       ompt_callback_lock_destroy,
                                       ompt_callback_mutex_acquire,   ompt_callback_mutex_acquired,
                                       ompt_callback_nest_lock,       ompt_callback_flush,
                                       ompt_callback_cancel,          ompt_callback_reduction,
                                       ompt_callback_dispatch}) {
    set(event, does_nothing);
  }
  return 1;
}

void finalize(ompt_data_t*) {}

}  // namespace

extern "C" [[gnu::visibility("default")]] ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {initialize, finalize, {}};
  return &result;
}
