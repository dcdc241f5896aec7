// What a tool may ask the runtime: OpenMP 5.2, section 19.6.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "abi/omp/routines.hpp"
#include "abi/ompt/ompt.hpp"
#include "include/heddle_tools.h"
#include "sys/machine.hpp"
#include "team/placement.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle::ompt {
namespace {

// -- states and implementations of locks

struct Named {
  int number;
  const char* name;
};

constexpr std::array kStates{
    Named{ompt_state_work_serial, "ompt_state_work_serial"},
    Named{ompt_state_work_parallel, "ompt_state_work_parallel"},
    Named{ompt_state_work_reduction, "ompt_state_work_reduction"},
    Named{ompt_state_wait_barrier_implicit_parallel, "ompt_state_wait_barrier_implicit_parallel"},
    Named{ompt_state_wait_barrier_implicit_workshare, "ompt_state_wait_barrier_implicit_workshare"},
    Named{ompt_state_wait_barrier_explicit, "ompt_state_wait_barrier_explicit"},
    Named{ompt_state_wait_barrier_implementation, "ompt_state_wait_barrier_implementation"},
    Named{ompt_state_wait_barrier_teams, "ompt_state_wait_barrier_teams"},
    Named{ompt_state_wait_taskwait, "ompt_state_wait_taskwait"},
    Named{ompt_state_wait_taskgroup, "ompt_state_wait_taskgroup"},
    Named{ompt_state_wait_lock, "ompt_state_wait_lock"},
    Named{ompt_state_wait_critical, "ompt_state_wait_critical"},
    Named{ompt_state_wait_atomic, "ompt_state_wait_atomic"},
    Named{ompt_state_wait_ordered, "ompt_state_wait_ordered"},
    Named{ompt_state_idle, "ompt_state_idle"},
    Named{ompt_state_overhead, "ompt_state_overhead"},
};
constexpr std::array kMutexes{Named{kMutexImplementation, "heddle_mutex_futex"}};

// The one behind `current` in a list, whose first one comes after `before_first`.
template <std::size_t N>
int enumerate(const std::array<Named, N>& list, int before_first, int current, int* next, const char** name) {
  auto at = list.begin();
  if (current != before_first) {
    at = std::ranges::find(list, current, &Named::number);
    if (at == list.end()) return 0;
    ++at;
  }
  if (at == list.end()) return 0;
  *next = at->number;
  *name = at->name;
  return 1;
}

int enumerate_states(int current, int* next, const char** name) {
  return enumerate(kStates, ompt_state_undefined, current, next, name);
}
int enumerate_mutex_impls(int current, int* next, const char** name) {
  // 0 is that of a lock of which nothing is known: OpenMP 5.2, section 19.6.1.2.
  return enumerate(kMutexes, 0, current, next, name);
}

// -- callbacks

bool is_observed(int event) {
  // Devices and target constructs: target regions are executed on the host, and not told of yet.
  const bool is_of_devices =
      (event >= ompt_callback_target && event <= ompt_callback_target_submit) ||
      (event >= ompt_callback_device_initialize && event <= ompt_callback_device_unload) ||
      event == ompt_callback_target_map ||
      (event >= ompt_callback_target_emi && event <= ompt_callback_target_map_emi);
  return event > 0 && event < ToolCallbacks::kEvents && !is_of_devices;
}

ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
  if (event <= 0 || event >= ToolCallbacks::kEvents) return ompt_set_error;
  if (!is_observed(event)) return ompt_set_never;
  g_tool_callbacks.set(event, callback);
  return ompt_set_always;
}

int get_callback(ompt_callbacks_t event, ompt_callback_t* callback) {
  if (!is_observed(event)) return 0;
  const ompt_callback_t registered = g_tool_callbacks.get(event);
  if (registered == nullptr) return 0;
  *callback = registered;
  return 1;
}

// -- threads, regions and tasks. Callable by any thread: one that the runtime does not know has none of
// these.

int get_state(ompt_wait_id_t* wait_id) {
  if (wait_id != nullptr) *wait_id = 0;
  const Member* const place = known_member();
  if (place == nullptr) return ompt_state_work_serial;
  if (!has_tool()) return known_worker()->tool_state;
  const ToolTask& task = tool_task(*place->context.task);
  if (task.flags == 0) return known_worker()->tool_state;  // between two regions
  if (wait_id != nullptr) *wait_id = task.wait_id;
  return task.state;
}

ompt_data_t* get_thread_data() {
  Worker* const worker = known_worker();
  return worker != nullptr && has_tool() ? &worker->tool_data : nullptr;
}

int get_parallel_info(int level, ompt_data_t** data, int* size) {
  const Member* place = known_member();
  if (place == nullptr || !has_tool()) return 0;
  for (; level > 0 && place != nullptr; --level) place = place->team->encountering;
  if (place == nullptr) return 0;
  if (data != nullptr) *data = &place->team->tool_data;
  if (size != nullptr) *size = place->team_size;
  return 2;
}

int get_task_info(int level, int* flags, ompt_data_t** data, ompt_frame_t** frame, ompt_data_t** parallel,
                  int* thread_num) {
  Member* place = known_member();
  if (place == nullptr || !has_tool()) return 0;
  Task* task = place->context.task;
  // From an explicit task to the one on top of which the thread executes it, from an implicit one to the task
  // that has met the region.
  for (; level > 0 && task != nullptr; --level) {
    if (!task->is_implicit()) {
      task = static_cast<Task*>(tool_task(*task).below);
    } else {
      place = place->team->encountering;
      task = place != nullptr ? place->context.task : nullptr;
    }
  }
  if (task == nullptr) return 0;
  ToolTask& tool = tool_task(*task);
  if (tool.flags == 0) return 0;  // between two regions
  if (flags != nullptr) *flags = tool.flags;
  if (data != nullptr) *data = &tool.data;
  if (frame != nullptr) *frame = &tool.frame;
  if (parallel != nullptr) *parallel = &place->team->tool_data;
  if (thread_num != nullptr) *thread_num = place->number;
  return 2;
}

int get_task_memory(void** address, std::size_t* bytes, int block) {
  Member* const place = known_member();
  if (place == nullptr || block != 0 || !has_tool()) return 0;
  Task& task = *place->context.task;
  if (task.is_implicit()) return 0;
  *address = task.payload();
  *bytes = task.bytes - sizeof(Task) - sizeof(ToolTask);
  return 0;
}

// -- places

int get_place_proc_ids(int place, int most, int* ids) {
  const int count = omp_get_place_num_procs(place);
  if (count > 0 && most >= count && ids != nullptr) omp_get_place_proc_ids(place, ids);
  return count;
}
int get_partition_place_nums(int most, int* numbers) {
  if (known_member() == nullptr) return 0;
  const int count = omp_get_partition_num_places();
  if (count > 0 && most >= count && numbers != nullptr) omp_get_partition_place_nums(numbers);
  return count;
}
int get_place_num() {
  // The thread's, not its member's: behind a region's last barrier that is given its place in the next.
  const Worker* const worker = known_worker();
  return worker != nullptr ? worker->bound_to : -1;
}
int get_proc_id() {
  return current_processor();
}

const void* get_task_code(const ompt_data_t* task) {
  static_assert(offsetof(ToolTask, data) == 0);
  return task != nullptr ? reinterpret_cast<const ToolTask*>(task)->code : nullptr;
}

void set_callback_suspend(heddle_callback_suspend_t callback) {
  g_suspend_callback = callback;
}

int get_target_info(std::uint64_t*, ompt_id_t*, ompt_id_t*) {
  return 0;  // the host alone
}
int get_num_devices() {
  return omp_get_num_devices();
}

struct EntryPoint {
  std::string_view name;
  ompt_interface_fn_t function;
};

template <class Function>
EntryPoint entry(std::string_view name, Function* function) {
  return {name, reinterpret_cast<ompt_interface_fn_t>(function)};
}

}  // namespace

ompt_interface_fn_t look_up(const char* name) {
  static const std::array entries{
      entry("ompt_enumerate_states", enumerate_states),
      entry("ompt_enumerate_mutex_impls", enumerate_mutex_impls),
      entry("ompt_set_callback", set_callback),
      entry("ompt_get_callback", get_callback),
      entry("ompt_get_state", get_state),
      entry("ompt_get_parallel_info", get_parallel_info),
      entry("ompt_get_task_info", get_task_info),
      entry("ompt_get_task_memory", get_task_memory),
      entry("ompt_get_thread_data", get_thread_data),
      entry("ompt_get_unique_id", unique_tool_id),
      entry("ompt_finalize_tool", end_tool),
      entry("ompt_get_num_procs", omp_get_num_procs),
      entry("ompt_get_num_places", omp_get_num_places),
      entry("ompt_get_place_proc_ids", get_place_proc_ids),
      entry("ompt_get_place_num", get_place_num),
      entry("ompt_get_partition_place_nums", get_partition_place_nums),
      entry("ompt_get_proc_id", get_proc_id),
      entry("ompt_get_target_info", get_target_info),
      entry("ompt_get_num_devices", get_num_devices),
      entry("heddle_get_task_code", get_task_code),
      entry("heddle_set_callback_suspend", set_callback_suspend),
  };
  const auto found = std::ranges::find(entries, std::string_view(name), &EntryPoint::name);
  return found != entries.end() ? found->function : nullptr;
}

}  // namespace heddle::ompt
