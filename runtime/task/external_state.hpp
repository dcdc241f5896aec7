// What a task has that libraries beside OpenMP block, or whose completion waits for events of theirs.
//
// Words: a task is *blocked* until somebody unblocks it, which may come first. Its *events* are a count: the
// task is complete when its body has returned and the count is zero. Invariant: the body counts as one event,
// so the count comes to zero once, whatever the order.
// Several nodes of a recorded graph are one Task after the other's: there the body itself waits, suspended,
// until its events have come, and the next one's begin with none.
//
// Source: ALPI 1.2, the tasking interface of the Task-Aware MPI library.
#pragma once

#include <atomic>
#include <cstdint>

#include "task/task.hpp"

namespace heddle {

struct SpawnedTask;
struct Suspension;

struct ExternalState {
  TaskExtension extension;
  Task* task = nullptr;
  SpawnedTask* spawned = nullptr;          // where it is one's; then that has the rest
  std::atomic<std::uintptr_t> blocked{0};  // kUnblocked, or the Suspension that waits
  std::atomic<std::uint64_t> events{0};    // outstanding, and kBodyEvent while the body runs
  Suspension* waiter = nullptr;            // of a graph's task: its body, from where it gives kBodyEvent back

  static constexpr std::uintptr_t kUnblocked = 1;
  static constexpr std::uint64_t kBodyEvent = std::uint64_t{1} << 63;
};

}  // namespace heddle
