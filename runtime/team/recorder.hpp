// What the room above does for taskgraph regions: it records the constructs in their bodies, and replays them
// (replay/taskgraph.hpp, replay/replay.hpp).
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
  /// A task of a replay is complete, and its body has not released what waits for it: releases that. Returns
  /// a list, by Task::next, of the tasks that wait for nothing any more. Threads: the cache's.
  Task* (*release_successors)(Task& task, MemoryCache& cache);
};

inline constinit Recorder g_recorder{};

/// Once, before the first thread is a worker.
inline void give_recorder(const Recorder& recorder) {
  g_recorder = recorder;
}
inline const Recorder& recorder() {
  return g_recorder;
}

/// Whether the current task's constructs are to be recorded. A member between regions has no task, and may
/// call pollers, which fulfil events.
inline bool is_recording(const Member& me) {
  return me.context.recorded != nullptr && me.context.recorded == me.context.task;
}

}  // namespace heddle
