// Spawned tasks: nobody's children, in no team, in no region; some never end.
//
// Words: a spawned task *waits* until it is unblocked, *sleeps* until it is due, or is *ready*; then the next
// thread of any team that is at a scheduling point goes on in it. Its body may ask to be run *again* when it
// has returned. Invariants: a spawned task is on one list, or in the hands of one thread; it is put on a list
// only once its context has been left; barriers, taskwaits and taskgraphs know nothing of it.
//
// A thread executes them in its *spawn place*, a team of its own and of one, which it *visits* from wherever
// it is: so what they create belongs to no region, and waits for nobody but them. From inside a parallel
// region of a spawned task it goes on in others, but in nothing else of the place: regions end in the reverse
// of their order.
//
// Source: ALPI 1.2; the Task-Aware MPI library polls in such tasks.
#pragma once

#include <cstdint>
#include <string>

#include "fiber/context.hpp"
#include "fiber/stack_pool.hpp"
#include "task/task.hpp"
#include "tasking/external_state.hpp"

namespace heddle {

struct SpawnedTask {
  /// What happens when a body that has asked to be run again has returned.
  enum class Again : std::uint8_t { kNever, kOnUnblock, kAtOnce, kAfter, kWhenEventsCame };

  /// The one that `task` belongs to, or nullptr.
  static SpawnedTask* of(Task& task);

  void (*body)(void*) = nullptr;
  void* argument = nullptr;
  void (*completed)(void*) = nullptr;  // may be null
  void* completed_argument = nullptr;
  std::string label;

  Task task;                                     // the current one while it runs
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

/// Makes one ready. Threads: any that may be a member.
void spawn(Member& me, void (*body)(void*), void* argument, void (*completed)(void*),
           void* completed_argument, const char* label);

/// Goes on in one that is ready or due, and in what such tasks have left to do with this thread: one step of
/// each. Returns whether there was anything.
bool attend_spawned(Member& me, std::int64_t now);
/// When the next is due: INT64_MAX where none is, 0 where one is ready.
std::int64_t next_spawned_due();
/// When this thread should look after what spawned tasks have left to do with it: INT64_MAX where there is
/// nothing.
std::int64_t next_due_in_spawn_place(const Member& me);

/// Of the current task, a spawned one.
void block_spawned(SpawnedTask& spawned);
void sleep_spawned(SpawnedTask& spawned, std::int64_t ns);
/// Threads: any.
bool unblock_spawned(SpawnedTask& spawned);
void decrease_events_of_spawned(SpawnedTask& spawned, std::uint64_t count);

// -- for suspension.cpp

/// The body from its beginning, at the base of a stack. Requires: its task is the current one.
void run_spawned_body(SpawnedTask& spawned);
/// Its context has been left.
void has_left(SpawnedTask& spawned);

}  // namespace heddle
