// OpenMP's tools interface, as tools see it (OpenMP 5.2, chapter 19).
#pragma once

#include "include/omp-tools.h"
#include "task/implicit_task.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle::ompt {

/// How locks are implemented here: what ompt_enumerate_mutex_impls() names.
inline constexpr unsigned kMutexImplementation = 1;

/// Lets the runtime look for a tool before its first thread has a team.
void connect();

/// The entry point of that name, or null.
ompt_interface_fn_t look_up(const char* name);

/// Ends the tool (ompt_finalize_tool()): it is called no more.
void end_tool();

// What a tool is told of what happens (OpenMP 5.2, section 19.5).

/// The one that calls the tool back.
Observer& tool_observer();

/// A thread whose team was made while the tool was started becomes known to it.
void observe_from_now(Worker& worker);

/// The tool is about to be finalised, by the thread of this worker: it learns the ends that it does not know.
void end_program(Worker& worker);

}  // namespace heddle::ompt

// The frames by which a task's code and the runtime have called each other, as tools see them (OpenMP 5.2,
// section 19.4.4.28). Requires: a tool is active.

namespace heddle {

/// The frame by which a task's code has called the runtime, as long as it is there: the outermost, where one
/// call leads to another. Returns whether this is it.
inline bool enter_runtime(Task& task, void* frame) {
  ompt_frame_t& known = tool_task(task).frame;
  if (known.enter_frame.ptr != nullptr) return false;
  known.enter_frame.ptr = frame;
  return true;
}
inline void leave_runtime(Task& task) {
  tool_task(task).frame.enter_frame = ompt_data_none;
}

/// The frame below that of a task's code, which is about to be called there.
inline void set_exit_frame(Task& task, void* frame) {
  tool_task(task).frame.exit_frame.ptr = frame;
}

}  // namespace heddle
