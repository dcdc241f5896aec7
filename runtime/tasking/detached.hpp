// Tasks whose body has returned and whose event is not fulfilled: noted while the watchdog is on.
//
// Invariant: what is noted is a report's alone; nothing is decided by it.
#pragma once

#include <vector>

#include "task/task.hpp"

namespace heddle {

/// Threads: any.
void note_detached(const Task& task);
void forget_detached(const Task& task);
std::vector<const Task*> noted_detached();

}  // namespace heddle
