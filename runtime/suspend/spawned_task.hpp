// Spawned tasks: nobody's children, in no team, in no region; some never end.
//
// Words: a spawned task *waits* until it is unblocked, *sleeps* until it is due, or is *ready*; then the next
// thread of any team that is at a scheduling point goes on in it. Its body may ask to be run *again* when it
// has returned. Invariants: a spawned task is on one list, or in the hands of one thread; it is put on a list
// only once its context has been left; barriers, taskwaits and taskgraphs know nothing of it.
//
// Source: ALPI 1.2; the Task-Aware MPI library polls in such tasks.
#pragma once

#include <cstdint>
#include <string>

#include "fiber/context.hpp"
#include "fiber/stack_pool.hpp"
#include "task/external_state.hpp"
#include "task/implicit_task.hpp"

namespace heddle {

struct SpawnedTask {
  /// What happens when a body that has asked to be run again has returned.
  enum class Again : std::uint8_t { kNever, kOnUnblock, kAtOnce, kAfter, kWhenEventsCame };

  /// The one that `task` belongs to, or nullptr.
  static SpawnedTask* of(const Task& task);

  void (*body)(void*) = nullptr;
  void* argument = nullptr;
  void (*completed)(void*) = nullptr;  // may be null
  void* completed_argument = nullptr;
  std::string label;

  ImplicitTask task;                             // the current one while it runs
  TaskGroup descendants{nullptr};                // of it: it does not end before them
  const DataEnvironment* environment = nullptr;  // as where it was spawned
  ExternalState external;
  FiberStack* stack = nullptr;  // null while its body is not under way
  Context context;

  // Under the lock of the lists.
  enum class State : std::uint8_t { kReady, kRuns, kLeavesToWait, kLeavesToSleep, kWaits, kSleeps, kEnded };
  State state = State::kReady;
  bool is_unblocked = false;  // before it has blocked
  std::int64_t due = 0;       // of a sleeping one
  SpawnedTask* next = nullptr;
  SpawnedTask* next_of_all = nullptr;
  SpawnedTask* previous_of_all = nullptr;

  // Its own.
  Again mode = Again::kNever;
  std::uint64_t mode_argument = 0;
  bool runs_again = false;
};

/// It is known to the process, and ready. Requires: nobody knows it yet.
void add_spawned(SpawnedTask& spawned, const DataEnvironment& environment);
/// The oldest that is ready, or due at `now`: it belongs to the caller, which executes it. nullptr: none.
SpawnedTask* take_spawned(std::int64_t now);
/// When the next is due: INT64_MAX where none is, 0 where one is ready.
std::int64_t next_spawned_due();

/// The current task, a spawned one, is about to leave its thread. Returns false where it need not: it was
/// unblocked before.
bool begins_to_block(SpawnedTask& spawned);

/// Threads: any.
bool unblock_spawned(SpawnedTask& spawned);
void decrease_events_of_spawned(SpawnedTask& spawned, std::uint64_t count);

/// The body from its beginning, at the base of a stack. Requires: its task is the current one.
void run_spawned_body(SpawnedTask& spawned);
/// Its context has been left.
void has_left(SpawnedTask& spawned);

}  // namespace heddle
