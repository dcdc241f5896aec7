// The process starts to use the runtime: the rooms learn what those above them do for them, a second OpenMP
// runtime is refused, stack overflows and waits will be reported.
//
// A room that needs something of a higher one declares a structure of functions (team/workers.hpp,
// team/recorder.hpp, suspend/work.hpp), which is filled here, at the start of the process.
#pragma once

#include <span>

namespace heddle {

/// Once, before anything else of the runtime is used. Threads: one.
void connect_rooms();

/// How the names of functions begin that compiled code calls and that no other kind of library has; and those
/// among them that a runtime's own plug-ins call, which are its own business.
void set_compilers_prefixes(std::span<const char* const> prefixes, const char* except);

}  // namespace heddle
