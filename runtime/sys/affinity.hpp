// Which processors the calling thread may run on. A processor is named by the operating system's number.
#pragma once

#include <vector>

namespace heddle {

/// Processors the calling thread may run on, ascending.
std::vector<int> processors_of_this_thread();

/// Lets the calling thread run on these only. Returns false where none of them can be used.
bool bind_this_thread(const std::vector<int>& processors);

}  // namespace heddle
