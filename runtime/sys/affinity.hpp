// Which processors the calling thread may run on. A processor is named by the operating system's number.
#pragma once

#include <vector>

namespace heddle {

/// Processors the calling thread may run on, ascending.
std::vector<int> processors_of_this_thread();

/// The same of the process: what its main thread may run on. Another thread may have been bound by its owner,
/// a library's helper say, which is no matter of the process's.
std::vector<int> processors_of_process();

/// Lets the calling thread run on these only. Returns false where none of them can be used.
bool bind_this_thread(const std::vector<int>& processors);

}  // namespace heddle
