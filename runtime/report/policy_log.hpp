// HEDDLE_LOG=policy: what became of the tasks of each construct, and why, said at the end of the program.
#pragma once

namespace heddle {

/// Counts from now on. Threads: once in a process.
void log_policy();

}  // namespace heddle
