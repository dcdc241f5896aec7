// HEDDLE_LOG=policy: what became of the tasks of each construct, and why, said at the end of the program.
#pragma once

#include "task/task.hpp"

namespace heddle {

/// Counts from now on. code_of: where the code of a task stands. Threads: once in a process.
void log_policy(const void* (*code_of)(const Task&));

}  // namespace heddle
