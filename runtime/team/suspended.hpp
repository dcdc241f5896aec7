// Tasks that have left their thread, as the place they left it in knows them.
//
// Words: a task is *suspended* while its stack is left; it is *next* once what it waited for has come, and
// goes on at the next scheduling point of its thread, before any other starts. One that *yielded* goes on
// when another has had a turn. A *sleeping* one waits for a time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "fiber/context.hpp"
#include "fiber/resume_queue.hpp"
#include "fiber/stack_pool.hpp"
#include "sys/backtrace.hpp"
#include "sys/fp_modes.hpp"
#include "team/execution_context.hpp"

namespace heddle {

struct Member;
struct SpawnedTask;

/// What a suspended task waits for.
enum class WaitsFor : std::uint8_t {
  kEvent,
  kTurn,  // it yielded, or lets another task run first
  kTime,
  kChildren,
  kGroup,
  kPredecessors,
  kLock,
  kUnblock,
  kEventsOfLibrary,  // its completion would wait for them: a task of a graph waits itself
  kBarrier,
  kDetachEvent,  // of an undeferred task, whose creator waits for it
};

/// A task that suspends. Lies on its stack.
struct Suspension {
  Suspension(Member& place, WaitsFor why, const void* what) : member(place), reason(why), object(what) {}
  Suspension(const Suspension&) = delete;
  Suspension& operator=(const Suspension&) = delete;

  /// Where it has not, for want of a stack, it goes on when what its thread executes on top of it has ended.
  bool has_left() const { return left_at.point != nullptr; }

  Suspension* next = nullptr;  // in a queue
  Member& member;              // where it goes on
  const WaitsFor reason;
  const void* const object;  // the event, the lock, …: for reports
  ExecutionContext context;  // its member's, while it is suspended; the task that waits, for reports
  Context left_at;           // where it goes on
  Trace trace;
  bool may_go_on = false;  // of one that has not left its thread, and whose turn has come
};

/// What a thread does first at the base of a pooled stack. None of the two: what there is to do.
struct FirstAction {
  enum class Kind : std::uint8_t {
    kNone,
    kExecute,  // the task was taken from the queues
    kCreate,   // it is executed at its creation, and its parent does not count it yet
    kSpawned,  // the spawned one's body begins
  };
  static FirstAction execute(Task& task) { return {Kind::kExecute, &task, nullptr}; }
  static FirstAction create(Task& task) { return {Kind::kCreate, &task, nullptr}; }
  static FirstAction begin(SpawnedTask& spawned) { return {Kind::kSpawned, nullptr, &spawned}; }

  Kind kind = Kind::kNone;
  Task* task = nullptr;
  SpawnedTask* spawned = nullptr;
};

/// Owner only, but for next.push() and the lists' heads.
struct SuspendedTasks {
  /// Maybe only such as have not left their thread: take_next() tells.
  bool has_next() const { return !next.is_empty() || !yielded.is_empty(); }

  /// nullptr where there is none. Those that have not left their thread learn that they may go on, and are
  /// skipped; `self`, which has not left it yet, is not.
  Suspension* take_next(const Suspension* self, bool takes_creators) {
    for (;;) {
      Suspension* first = next.pop();
      if (first == nullptr) first = yielded.pop();
      if (first == nullptr && takes_creators) first = creators.pop();
      if (first == nullptr || first == self || first->has_left()) return first;
      first->may_go_on = true;
    }
  }

  ResumeQueue<Suspension> next;
  ResumeQueue<Suspension> yielded;  // nobody else pushes there, nor on the next
  // That were left for a task at its creation, the newest first: they go on behind the place's own tasks, as
  // if they lay below those on one stack.
  ResumeQueue<Suspension> creators;
  FirstAction first_action;                      // of the thread, when it comes to the base of a stack
  FpModes fp_modes;                              // that it has there
  int count = 0;                                 // of them
  Published<Suspension*> on_own_stack{nullptr};  // that left the thread's own stack: for reports

  RelaxedAtomic<std::uint64_t> resumed{0};  // what waited for something that came

  using Sleeper = std::pair<std::int64_t, Suspension*>;  // until when, on the monotonic clock
  std::vector<Sleeper> sleepers;                         // a heap, the earliest first
};

/// What a thread has just left, to be looked after once it has arrived elsewhere.
struct Departure {
  FiberStack* stack = nullptr;     // at its base: given back
  SpawnedTask* spawned = nullptr;  // may go on with another thread from then on
};

}  // namespace heddle
