// How GCC describes a task's code and arguments, and how that becomes a task of ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "abi/gomp/gomp.hpp"
#include "deps/access.hpp"
#include "task/task.hpp"

namespace heddle::gomp {

struct CompiledTask {
  Function fn;
  void* data;                  // the creator's argument block
  void (*copy)(void*, void*);  // copies it where copying bytes is not enough; null otherwise
  long size;
  long alignment;
  int priority;
};

/// What a compiled task has to know (Task::as()).
struct GccTask {
  Function function;
  void* arguments;  // behind the task
};

/// Bytes behind a task that its arguments need, and where they begin there.
std::size_t argument_bytes(const CompiledTask& from);
void* argument_block(const CompiledTask& from, Task& task);

/// The priority clause, as far as the program's user allows.
std::int32_t priority_of(const CompiledTask& from);

/// A task with room for the arguments: GccTask::arguments.
Task& new_compiled_task(Member& me, const CompiledTask& from, unsigned flags);

void copy_arguments(Member& me, const CompiledTask& from, Task& task);

void run_compiled_undeferred(Member& me, const CompiledTask& from, Task& task,
                             std::span<const Dependence> dependences);

}  // namespace heddle::gomp
