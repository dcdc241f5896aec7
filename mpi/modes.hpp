// Which of TAMPI's modes are on.
#pragma once

#include "runtime/base/relaxed_atomic.hpp"

namespace heddle::mpi {

struct Modes {
  RelaxedAtomic<bool> blocking{false};  // MPI_TASK_MULTIPLE was asked for, and given
  RelaxedAtomic<bool> starts_with_mpi{true};
  RelaxedAtomic<bool> expected{false};  // the program was compiled with TAMPI.h
};
inline Modes modes;

/// Whether blocking calls of this thread may suspend. A property of threads, as TAMPI has it.
inline thread_local bool thread_is_task_aware = true;

/// Blocking calls suspend who makes them.
inline bool calls_suspend() {
  return modes.blocking.load() && thread_is_task_aware;
}

/// Switches blocking mode on if it was asked for and can be had. Returns the level of threads that is
/// provided.
int provide(int required, int provided_by_mpi);

/// Tells the runtime that tasks will wait. It executes those on stacks of their own that it executes at their
/// creation, which costs more; a task that was executed without could not wait.
void announce_waits();

}  // namespace heddle::mpi
