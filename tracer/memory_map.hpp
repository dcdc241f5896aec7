// Files beside the events: where they lie, and which file's code lies where in the process.
#pragma once

#include <string>

namespace heddle::tracer {

/// In the folder of the trace. suffix: ".events", ".maps" and the like.
std::string path_of_process(const char* suffix);

/// As the system says it, into the file with ".maps"; what was there is replaced at once. Threads: one at a
/// time.
void copy_memory_map();

}  // namespace heddle::tracer
