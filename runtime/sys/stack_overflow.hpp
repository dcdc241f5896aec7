// A stack that overflows is named in one line, before the program ends as it would have without.
//
// Words: a thread that has no stack left cannot execute a handler on it, and does on its *alternate stack*
// (sigaltstack(2)). Invariant: a program that handles SIGSEGV, now or later, is not kept from it, and what
// has an alternate stack keeps it.
#pragma once

#include <cstddef>

namespace heddle {

/// Memory of a stack, from its lowest byte that may be touched.
struct StackRange {
  const void* bottom = nullptr;
  std::size_t bytes = 0;  // 0: none
};

/// What the room above knows of overflows. All are called in a signal handler, on a thread whose stack is
/// used up: no allocation, no lock that others hold for long.
struct OverflowNames {
  /// The stack of a task that `address`, its guard included, belongs to.
  StackRange (*stack_at)(const void* address);
  /// Writes what the calling thread executes, as in "task 0x1f40 of ./program"; nothing for the program's own
  /// thread.
  void (*what)(char* text, std::size_t bytes);
  /// How its owner gives a thread, or a task, more: a part of the sentence.
  const char* advice;
};

/// From now on overflows are named, unless the program handles SIGSEGV already. Without effect after the
/// first call.
void name_stack_overflows(const OverflowNames& names);

/// Gives the calling thread an alternate stack, where it has none.
/// Errors: none; without memory it stays without.
void give_alternate_stack();
/// Takes it back, before the thread ends.
void take_alternate_stack();

}  // namespace heddle
