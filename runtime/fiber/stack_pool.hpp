// Stacks for tasks that go on beside others, and what of them waits for use.
//
// Words: a stack is *parked* where its base is to begin, for the thread that takes it; it is *warm* while its
// pages are kept, *cold* once they went back to the system. Every stack of a process has the same size and,
// at its base, the same code. Invariant: a stack is taken, or parked in exactly one pool, or cold in the
// store that all pools share.
#pragma once

#include <cstddef>

#include "base/published.hpp"
#include "fiber/context.hpp"

namespace heddle {

struct FiberStack {
  void* bottom = nullptr;
  std::size_t bytes = 0;
  Context base;                 // while it is parked
  FiberStack* next = nullptr;   // in a pool, or in the store
  FiberStack* older = nullptr;  // of all there are; never changes
  // The context that sleeps on it: for reports only.
  Published<void*> sleeper{nullptr};
};

/// Settles how large stacks are, and what they execute. Without effect after the first call.
void set_stacks(std::size_t bytes, ContextEntry entry);

/// One thread's warm stacks.
class StackPool {
 public:
  StackPool() = default;
  ~StackPool() { clear(); }
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  /// A parked stack; to go on there, switch to its base.
  /// Errors: nullptr where the system has no address space left.
  FiberStack* take() {
    FiberStack* const stack = warm_;
    if (stack == nullptr) [[unlikely]]
      return take_cold();
    warm_ = stack->next;
    --count_;
    return stack;
  }

  bool has_warm() const { return warm_ != nullptr; }

  /// Requires: its base has ended; nobody stands on it.
  void give_back(FiberStack& stack) {
    if (count_ == kMostWarm) [[unlikely]]
      return cool(stack);
    restart_context(stack.base);
    stack.next = warm_;
    warm_ = &stack;
    ++count_;
  }

  /// Makes all of them cold.
  void clear();

 private:
  static constexpr int kMostWarm = 64;

  [[gnu::cold]] FiberStack* take_cold();
  [[gnu::cold]] static void cool(FiberStack& stack);

  FiberStack* warm_ = nullptr;
  int count_ = 0;
};

/// What the stacks of this process have cost so far. A stack has a *life* from its first use to where its
/// memory goes back to the system.
struct StackReport {
  int made = 0;                    // the most that there were at once
  std::size_t stack_bytes = 0;     // address space of each
  std::size_t resident_bytes = 0;  // memory now, of all
  std::size_t deepest_bytes = 0;   // the most that one has used, in lives that were counted
  std::size_t lives = 0;           // counted: those that have ended, and those that go on
  std::size_t bytes_of_lives = 0;  // memory of all of them
};
/// From now on lives are counted when they end. Cost: a system call for each.
void count_lives_of_stacks();
StackReport report_stacks();

/// The newest stack of the process; FiberStack::older leads to all others.
FiberStack* newest_stack();

/// Calls visit for every stack with somebody asleep on it. For reports: exact while nothing changes.
template <class Visit>
void visit_sleepers(Visit&& visit) {
  for (FiberStack* stack = newest_stack(); stack != nullptr; stack = stack->older)
    if (void* const sleeper = stack->sleeper.seen()) visit(*stack, sleeper);
}

}  // namespace heddle
