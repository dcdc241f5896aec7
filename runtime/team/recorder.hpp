// What a taskgraph region has to know of the constructs in its body (replay/taskgraph.hpp): the room above
// records them.
#pragma once

#include <span>

#include "deps/access.hpp"
#include "team/team.hpp"

namespace heddle {

struct Recorder {
  // Of the current task, while its constructs are recorded.
  void (*wait)(Member& me);
  void (*wait_for)(Member& me, std::span<const Dependence> dependences);
  void (*group_begin)(Member& me);
  void (*group_end)(Member& me);
  void (*refuse)(Member& me, const char* reason);  // it does what a record cannot have
  /// Waits for executions that the current task has begun and not waited for.
  void (*wait_for_pipeline)(Member& me);
};

/// Once, before the first thread is a worker.
void give_recorder(const Recorder& recorder);
const Recorder& recorder();

/// Whether the current task's constructs are to be recorded. A member between regions has no task, and may
/// call pollers, which fulfil events.
inline bool is_recording(const Member& me) {
  return me.context.recorded != nullptr && me.context.recorded == me.context.task;
}

}  // namespace heddle
