// Two OpenMP runtimes in one process do not know of each other's threads, tasks and locks.
#pragma once

#include <span>

namespace heddle {

/// How the names of functions begin that compiled code calls and that no other kind of library has; and those
/// among them that a runtime's own plug-ins call, which are its own business.
void set_compilers_prefixes(std::span<const char* const> prefixes, const char* except);

/// Ends the program where something that is loaded calls an OpenMP function that is missing here and that
/// another runtime has: it would be served there, without a word and wrongly. Cost: some 50 microseconds.
void refuse_second_runtime();

}  // namespace heddle
