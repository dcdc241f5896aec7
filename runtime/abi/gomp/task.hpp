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
  long priority;  // no padding: see TaskloopConstruct
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

// -- The array in which GCC passes depend clauses.
//
// Two forms. Old: [0] number of items (not 0), [1] how many of them are out or inout, then addresses, out
// first. New (OpenMP 5.0): [0] is 0, [1] number of items, [2] out/inout, [3] mutexinoutset, [4] in, then
// addresses in that order; what is left over points at pairs {address, kind}, as depend objects hold them.
// From GCC 13 on a null address that is out or inout stands for omp_all_memory.

namespace heddle::gomp {

struct DependArray {
  DependArray() = default;
  /// depend: null where there is none.
  explicit DependArray(void** depend) {
    if (depend == nullptr) return;
    const auto word = [&](std::size_t i) { return reinterpret_cast<std::uintptr_t>(depend[i]); };
    const bool is_old = word(0) != 0;
    count = is_old ? word(0) : word(1);
    if (count == 0) return;  // iterators that name nothing: two zeros and no more words
    out = is_old ? word(1) : word(2);
    mutex = is_old ? 0 : word(3);
    in = is_old ? count - out : word(4);
    items = depend + (is_old ? 2 : 5);
  }

  /// What tells which kinds of access they name. Requires: they are few, and no depend objects among them.
  std::uint64_t kinds() const { return kinds_of(out, mutex, in); }
  static constexpr std::uint64_t kinds_of(std::size_t out, std::size_t mutex, std::size_t in) {
    return out | mutex << 16 | in << 32;
  }
  bool has_addresses_alone() const { return out + mutex + in == count && !names_all_memory(items, out); }
  static bool names_all_memory(void* const* items, std::size_t out) {
    for (std::size_t i = 0; i < out; ++i)
      if (items[i] == nullptr) return true;
    return false;
  }

  std::size_t count = 0, out = 0, mutex = 0, in = 0;
  void** items = nullptr;
};

/// Reads the array into an empty list; a null array leaves it empty.
void read_dependences(void** depend, DependenceList& list);

}  // namespace heddle::gomp
