// Starting threads of the operating system.
#pragma once

#include <cstddef>

namespace heddle {

/// Starts a detached thread that runs entry(argument) with all signals blocked.
/// Errors: returns false where the system has no room for another thread.
bool start_thread(void* (*entry)(void*), void* argument, std::size_t stack_bytes);

/// The stack of a thread that is started with stack_bytes 0.
std::size_t default_stack_bytes();

/// Has action(argument) called when the calling thread ends; not when the process does.
/// Requires: one action per process; a later call of the same thread replaces its argument.
void at_thread_end(void (*action)(void*), void* argument);

/// Has the three called around every fork() of the process: before it, and after it in the parent and in the
/// child.
void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace heddle
