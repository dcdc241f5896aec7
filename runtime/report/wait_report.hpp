// Who waits for what, and for whom: a picture of a process that hangs.
#pragma once

#include <string>

#include "task/task.hpp"

namespace heddle {

/// Code in the report: as file:line; or as {call ADDRESS FILE} and {task ADDRESS FILE} for a reader that
/// resolves it, and then every thread must stand still.
enum class Places { kResolved, kRaw };

/// One paragraph a waiting task, then the cycle, if they wait in one. Empty where nobody waits for anything.
/// Requires: nothing progresses meanwhile.
std::string report_waits(Places places);

/// Bodies of a compiler's tasks, and where its code for one stands.
void name_task_bodies(Task::Body body, const void* (*code_of)(const Task&));

}  // namespace heddle
