// What each task and thread waits for: a picture of a process that hangs.
#pragma once

#include <map>
#include <string>

#include "report/report_places.hpp"
#include "task/task.hpp"

namespace heddle {

// -- what libraries beside the runtime know of what tasks wait for: which message, for instance

using DescribeWaits = void (*)(void* argument, void (*say)(void* report, const void* task, const char* what),
                               void* report);

/// For good. Returns false where there is no room for one more. Threads: any.
bool add_outside_waits(DescribeWaits describe, void* argument);

/// What they say, by task; nullptr's is said of no task.
std::multimap<const Task*, std::string> outside_waits();

// -- the report

/// One paragraph a waiting task, then the cycle, if they wait in one. Empty where nobody waits for anything.
/// Requires: nothing progresses meanwhile.
std::string report_waits(Places places);

}  // namespace heddle
