// HEDDLE_LOG=stacks: what the stacks of suspended tasks cost, said at the end of the program.
#pragma once

namespace heddle {

/// Where it was asked for. Threads: once in a process.
void log_stacks_at_exit();

}  // namespace heddle
