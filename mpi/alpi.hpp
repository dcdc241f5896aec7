// What this library uses of ALPI, version 1.0, the interface of tasking runtimes for libraries like it.
// Null where the OpenMP runtime does not have it.
#pragma once

#include <cstdint>

extern "C" {
struct alpi_task;
int alpi_task_self(alpi_task** task) __attribute__((weak));
int alpi_task_block(alpi_task* task) __attribute__((weak));
int alpi_task_unblock(alpi_task* task) __attribute__((weak));
int alpi_task_waitfor_ns(std::uint64_t target_ns, std::uint64_t* actual_ns) __attribute__((weak));
int alpi_task_events_increase(alpi_task* task, std::uint64_t count) __attribute__((weak));
int alpi_task_events_decrease(alpi_task* task, std::uint64_t count) __attribute__((weak));
}

namespace heddle::mpi {

inline bool has_alpi() {
  return alpi_task_self != nullptr;
}

/// Requires: has_alpi().
inline alpi_task* this_task() {
  alpi_task* task = nullptr;
  alpi_task_self(&task);
  return task;
}

}  // namespace heddle::mpi
