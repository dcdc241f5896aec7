// Tasks as a debugger wants them: which threads execute which, and which are suspended where.
#pragma once

#include <string>

namespace heddle {

/// A line a task, its fields separated by tabs:
///   executed   TASK CODE NAME THREAD        THREAD: the kernel's number
///   suspended  TASK CODE NAME POINT REASON  POINT: where its registers are saved, as Boost.Context does it
/// TASK and CODE are addresses; CODE is 0, and NAME not empty, for tasks that have no code of their own.
/// Requires: nothing progresses meanwhile.
std::string list_tasks();

}  // namespace heddle
