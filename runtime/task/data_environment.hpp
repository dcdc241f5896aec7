// The internal control variables that travel with a task, by value: a child starts with its parent's
// (OpenMP 5.2, section 2.4).
//
// Words: *run-sched-var*, *nthreads-var*, *dyn-var*, *max-active-levels-var*, *thread-limit-var*,
// *default-device-var*, *def-allocator-var*: the standard's names.
#pragma once

#include <cstdint>

namespace heddle {

/// Numbers of omp_sched_t; trapezoidal is an extension that LLVM's runtime has, too.
enum class ScheduleKind : std::uint8_t {
  kStatic = 1,
  kDynamic = 2,
  kGuided = 3,
  kAuto = 4,
  kTrapezoidal = 101
};

/// The chunk size of a schedule that names none: 0 stands for one chunk a thread.
constexpr std::int32_t default_chunk(ScheduleKind kind) {
  return kind == ScheduleKind::kStatic || kind == ScheduleKind::kAuto ? 0 : 1;
}

/// Device numbers that stand for no device of their own (OpenMP 5.2, section 18.7).
inline constexpr std::int32_t kInitialDevice = -1;
inline constexpr std::int32_t kInvalidDevice = -4;

struct DataEnvironment {
  std::int32_t num_threads = 1;         // nthreads-var, first element
  std::int32_t thread_limit = 1 << 12;  // thread-limit-var
  std::uintptr_t allocator = 1;         // def-allocator-var: a handle (mem/allocator.hpp)
  std::int32_t default_device = 0;      // default-device-var
  std::int32_t run_chunk = 0;           // run-sched-var: chunk size, 0 where none was given
  ScheduleKind run_kind = ScheduleKind::kDynamic;
  bool has_run_schedule = false;  // somebody chose run-sched-var
  bool run_monotonic = false;
  bool is_dynamic = false;  // dyn-var
  std::uint8_t max_active_levels = 1;
  bool waits_for_latency = false;  // ours: HEDDLE_WAIT, heddle_set_wait()

  bool operator==(const DataEnvironment&) const = default;
};

}  // namespace heddle
