// What a thread executes in a member's place, and what follows from that for the tasks it may start.
//
// A member has one context. Whatever is executed inside the current task, on top of its stack, pushes what
// changes and pops it at its end: the classes below. A task that leaves its thread with its stack takes the
// whole context along, and has it back when it goes on (suspend/suspension.hpp).
#pragma once

#include <new>
#include <type_traits>
#include <utility>

#include "sched/start_rule.hpp"
#include "task/task.hpp"

namespace heddle {

struct FiberStack;
struct PrivateChunks;
struct TaskgraphRegion;

// A task that is executed at its creation changes the first two in one store of 16 bytes, and reads one of
// them at its end. Where that store crosses a cache line, the read waits for it: twice the time of the task.
struct alignas(kCacheLine) ExecutionContext {
  Task* task = nullptr;        // the current task
  Task* constraint = nullptr;  // only its descendants may be started (OpenMP 5.2, section 12.9); null: any
  const Wanted* wanted = nullptr;        // only these may be, in a wait for latency; null: any
  PrivateChunks* chunks = nullptr;       // that the member keeps of the taskloop range it executes
  TaskgraphRegion* taskgraph = nullptr;  // the innermost whose body is executed (replay/taskgraph.hpp)
  const Task* recorded = nullptr;        // the task whose constructs are recorded for that region; null: none
  int inline_depth = 0;                  // tasks executed on top of one another on this stack
  // The task at the base of this stack, which is executed at its creation, and which its parent does not
  // count yet; once it leaves its thread, that does. Null: there is none.
  Task* new_child = nullptr;
  FiberStack* stack = nullptr;  // null: the thread's own

  StartRule rule() const { return {constraint, wanted}; }

  /// Nothing is executed but this task, on this stack. Written in place: an assignment would be a copy of 128
  /// bytes.
  void restart(Task& first, FiberStack* on) {
    static_assert(std::is_trivially_destructible_v<ExecutionContext>);
    new (this) ExecutionContext{.task = &first, .stack = on};
  }

  /// Around a task that is executed inside the current one, where begin and end are calls of their own. The
  /// first returns the constraint, for the second.
  Task* begin_inline(Task& inner) {
    ++inline_depth;
    return std::exchange(constraint, std::exchange(task, &inner));
  }
  void end_inline(Task& outer, Task* outer_constraint) {
    task = &outer;
    constraint = outer_constraint;
    --inline_depth;
  }
};

/// A field of a context has another value while this exists.
template <class T>
class Pushed {
 public:
  Pushed(T& field, T value) : field_(field), before_(std::exchange(field, value)) {}
  ~Pushed() { field_ = before_; }
  Pushed(const Pushed&) = delete;
  Pushed& operator=(const Pushed&) = delete;

 private:
  T& field_;
  const T before_;
};

/// The current task waits: its descendants alone may be started.
class Constrained {
 public:
  explicit Constrained(ExecutionContext& context, const Wanted* wanted = nullptr)
      : constraint_(context.constraint, context.task), wanted_(context.wanted, wanted) {}
  /// In a wait for just this, which is for latency where the task's environment says so.
  Constrained(ExecutionContext& context, const Wanted& wanted)
      : Constrained(context, context.task->environment->waits_for_latency ? &wanted : nullptr) {}

 private:
  Pushed<Task*> constraint_;
  Pushed<const Wanted*> wanted_;
};

/// Any task may be started: those suspended in a barrier do not constrain it (OpenMP 5.2, section 12.9).
class Unconstrained {
 public:
  explicit Unconstrained(ExecutionContext& context)
      : constraint_(context.constraint, nullptr), wanted_(context.wanted, nullptr) {}

 private:
  Pushed<Task*> constraint_;
  Pushed<const Wanted*> wanted_;
};

/// The current task executes others, of its descendants, before it goes on.
class Nested {
 public:
  explicit Nested(ExecutionContext& context)
      : constrained_(context), depth_(context.inline_depth, context.inline_depth + 1) {}

 private:
  Constrained constrained_;
  Pushed<int> depth_;
};

}  // namespace heddle
