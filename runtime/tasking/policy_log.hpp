// HEDDLE_LOG=policy: what became of the tasks of each construct, and why, said at the end of the program.
#pragma once

#include "sched/spawn_policy.hpp"
#include "task/task.hpp"

namespace heddle {

/// Counts a decision about a task of the construct whose body is `code`. Threads: any.
void count_decision(const void* code, Why why);
/// The same of a task that there is.
void count_decision(const Task& task, Why why);

/// Counts from now on. code_of: where the code of a task stands. Threads: once in a process.
void log_policy(const void* (*code_of)(const Task&));

}  // namespace heddle
