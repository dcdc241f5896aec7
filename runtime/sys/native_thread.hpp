// Starting threads of the operating system.
#pragma once

#include <cstddef>

namespace heddle {

/// What a thread of ours does with signals.
enum class SignalMask {
  /// It executes the program's code, so it blocks what the program's main thread blocks now: signals to the
  /// process still come to the main thread, which the kernel asks first, and a command that is started here
  /// gets the mask that it would get there. Faults of the code (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
  /// SIGSYS) are never
  /// blocked: they reach the program's own handlers.
  kOfProgram,
  /// It executes nothing but the runtime's code: it blocks everything but faults.
  kBlocked,
};

/// Starts a detached thread that runs entry(argument).
/// Errors: returns false where the system has no room for another thread.
bool start_thread(void* (*entry)(void*), void* argument, std::size_t stack_bytes, SignalMask signals);

/// The stack of a thread that is started with stack_bytes 0.
std::size_t default_stack_bytes();

/// Has action(argument) called when the calling thread ends; not when the process does.
/// Requires: one action per process; a later call of the same thread replaces its argument.
void at_thread_end(void (*action)(void*), void* argument);

/// Has the three called around every fork() of the process: before it, and after it in the parent and in the
/// child. Any may be null. Of several, those registered first are called last before a fork, and first after
/// it.
void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace heddle
