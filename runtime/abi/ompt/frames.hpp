// The frames by which a task's code and the runtime have called each other, as tools see them (OpenMP 5.2,
// section 19.4.4.28). Requires: a tool is active.
#pragma once

#include "task/implicit_task.hpp"

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
