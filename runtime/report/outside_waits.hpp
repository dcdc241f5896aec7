// What libraries beside the runtime know of what tasks wait for: which message, for instance.
#pragma once

#include <map>
#include <string>

#include "task/task.hpp"

namespace heddle {

using Tell = void (*)(void* argument, void (*say)(void* report, const void* task, const char* what),
                      void* report);

/// For good. Returns false where there is no room for one more. Threads: any.
bool add_outside_waits(Tell tell, void* argument);

/// What they say, by task; nullptr's is said of no task.
std::multimap<const Task*, std::string> outside_waits();

}  // namespace heddle
