// The tool of OpenMP's tools interface (OpenMP 5.2, chapter 19) that writes down what it is told. It serves
// any runtime that has the interface.
//
// What the runtime keeps for it of a task, a region or a thread is the number under which it is in the file.
#include <cstdint>
#include <utility>

#include "runtime/include/heddle_tools.h"
#include "tracer/event_file.hpp"
#include "tracer/lock_waits.hpp"
#include "tracer/numa_node.hpp"

namespace heddle::tracer {
namespace {

heddle_get_task_code_t g_get_task_code = nullptr;  // where the runtime has it

std::uint64_t address(const void* code) {
  return reinterpret_cast<std::uintptr_t>(code);
}
std::uint64_t number(const ompt_data_t* data) {
  return data != nullptr ? data->value : 0;
}
std::uint16_t small(int value) {
  return static_cast<std::uint16_t>(value);
}

void on_thread_begin(ompt_thread_t kind, ompt_data_t*) {
  record(Kind::thread_begin, small(kind), 0, 0, 0);
}
void on_thread_end(ompt_data_t*) {
  record(Kind::thread_end, 0, 0, 0, 0);
  leave_chunk();
}

void on_parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* region, unsigned requested, int,
                       const void* where) {
  region->value = next_number();
  record(Kind::parallel_begin, 0, requested, region->value, address(where));
}
void on_parallel_end(ompt_data_t* region, ompt_data_t* task, int, const void*) {
  record(Kind::parallel_end, 0, 0, number(region), number(task));
}

// What the program did before it first met OpenMP was outside parallel regions: its initial task begins with
// it.
std::uint64_t begin_of_initial_task() {
  static bool g_is_first = true;  // of the loading thread alone
  if (!is_loading_thread() || !std::exchange(g_is_first, false)) return ticks();
  return g_loaded.ticks;
}

// Looked at where a region begins: threads that matter to it are bound.
constinit thread_local Processor t_processor __attribute__((tls_model("initial-exec"))) = {~0u, ~0u};

void note_processor() {
  const Processor now = this_processor();
  if (std::exchange(t_processor, now) != now) record(Kind::runs_on, 0, 0, now.number, now.node);
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* task, unsigned,
                      unsigned index, int flags) {
  if (endpoint == ompt_scope_begin) {
    task->value = next_number();
    const bool is_initial = (flags & ompt_task_initial) != 0;
    record(Kind::implicit_begin, is_initial ? 1 : 0, index, task->value, number(region),
           is_initial ? begin_of_initial_task() : ticks());
    note_processor();
  } else {
    record(Kind::implicit_end, 0, index, number(task), number(region));
  }
}

void on_task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* task, int flags, int, const void* where) {
  task->value = next_number();
  const void* const body = g_get_task_code != nullptr ? g_get_task_code(task) : nullptr;
  record(Kind::task_create, body != nullptr ? kOfBody : kOfCall, static_cast<std::uint32_t>(flags),
         task->value, address(body != nullptr ? body : where));
}
void on_dependences(ompt_data_t* task, const ompt_dependence_t* all, int count) {
  const std::uint64_t now = ticks();
  for (int i = 0; i < count; ++i) {
    record(Kind::dependence, small(all[i].dependence_type), 0, number(task), all[i].variable.value, now);
  }
}
void on_task_dependence(ompt_data_t* source, ompt_data_t* sink) {
  record(Kind::task_dependence, 0, 0, number(source), number(sink));
}
void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  record(Kind::task_schedule, small(status), 0, number(prior), number(next));
}

void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
             const void* where) {
  const Kind what = endpoint == ompt_scope_begin ? Kind::wait_begin : Kind::wait_end;
  record(what, small(kind), 0, number(task), address(where));
}

void on_suspend(ompt_data_t* task, heddle_suspend_t reason) {
  record(Kind::suspends, small(reason), 0, number(task), 0);
}

constinit thread_local NestedLockWait t_nested_lock __attribute__((tls_model("initial-exec")));

void on_mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t lock, const void* where) {
  t_nested_lock.acquires(kind);
  if (waits(kind)) record(Kind::lock_wait, small(kind), 0, lock, address(where));
}
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void* where) {
  t_nested_lock.has_acquired();
  if (waits(kind)) record(Kind::lock_taken, small(kind), 0, lock, address(where));
}
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t lock, const void* where) {
  if (t_nested_lock.ends_at(endpoint))
    record(Kind::lock_taken, small(ompt_mutex_nest_lock), 0, lock, address(where));
}
void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void* where) {
  record(Kind::lock_released, small(kind), 0, lock, address(where));
}

void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
             std::uint64_t count, const void* where) {
  const Kind what = endpoint == ompt_scope_begin ? Kind::work_begin : Kind::work_end;
  record(what, small(kind), static_cast<std::uint32_t>(count), number(task), address(where));
}
void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task, const void* where) {
  const Kind what = endpoint == ompt_scope_begin ? Kind::work_begin : Kind::work_end;
  record(what, kMaskedWork, 0, number(task), address(where));
}
void on_cancel(ompt_data_t* task, int flags, const void* where) {
  record(Kind::cancel, 0, static_cast<std::uint32_t>(flags), number(task), address(where));
}

template <class Function>
ompt_callback_t callback(Function* function) {
  return reinterpret_cast<ompt_callback_t>(function);
}

int initialize(ompt_function_lookup_t look_up, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(look_up("ompt_set_callback"));
  if (set == nullptr) return 0;
  g_get_task_code = reinterpret_cast<heddle_get_task_code_t>(look_up("heddle_get_task_code"));
  const struct {
    ompt_callbacks_t event;
    ompt_callback_t callback;
  } all[] = {
      {ompt_callback_thread_begin, callback(on_thread_begin)},
      {ompt_callback_thread_end, callback(on_thread_end)},
      {ompt_callback_parallel_begin, callback(on_parallel_begin)},
      {ompt_callback_parallel_end, callback(on_parallel_end)},
      {ompt_callback_implicit_task, callback(on_implicit_task)},
      {ompt_callback_task_create, callback(on_task_create)},
      {ompt_callback_dependences, callback(on_dependences)},
      {ompt_callback_task_dependence, callback(on_task_dependence)},
      {ompt_callback_task_schedule, callback(on_task_schedule)},
      {ompt_callback_sync_region_wait, callback(on_wait)},
      {ompt_callback_mutex_acquire, callback(on_mutex_acquire)},
      {ompt_callback_mutex_acquired, callback(on_mutex_acquired)},
      {ompt_callback_mutex_released, callback(on_mutex_released)},
      {ompt_callback_nest_lock, callback(on_nest_lock)},
      {ompt_callback_work, callback(on_work)},
      {ompt_callback_masked, callback(on_masked)},
      {ompt_callback_cancel, callback(on_cancel)},
  };
  for (const auto& [event, function] : all) set(event, function);
  const auto set_suspend =
      reinterpret_cast<heddle_set_callback_suspend_t>(look_up("heddle_set_callback_suspend"));
  if (set_suspend != nullptr) set_suspend(on_suspend);
  return 1;
}

void finalize(ompt_data_t*) {
  note_end();
}

}  // namespace
}  // namespace heddle::tracer

extern "C" [[gnu::visibility("default")]] ompt_start_tool_result_t* ompt_start_tool(unsigned,
                                                                                    const char* runtime) {
  static ompt_start_tool_result_t result = {heddle::tracer::initialize, heddle::tracer::finalize, {}};
  heddle::tracer::note_runtime(runtime);
  return &result;
}
