// The rooms of the runtime learn what those above them do for them.
//
// A room that needs something of a higher one declares a structure of functions (team/workers.hpp,
// team/recorder.hpp, suspend/work.hpp), which is filled here, at the start of the process.
#pragma once

namespace heddle {

/// Once, before anything else of the runtime is used. Threads: one.
void connect_rooms();

}  // namespace heddle
