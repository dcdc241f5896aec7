// Chunks of a taskloop that a member has taken and not begun (tasking/taskloop.hpp).
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace heddle {

struct Taskloop;

/// Chunks [next, last).
struct ChunkRange {
  std::uint64_t next, last;
};

/// The chunks of a batch that no queue knows: those behind the one that is being executed.
struct PrivateChunks : ChunkRange {
  Taskloop& loop;
  Task& task;
  void (*publish)(Member& me);  // leaves them to the thread that comes first
  // The task's when it began, which a chunk in the middle of its execution may have changed.
  TaskGroup* const group = task.group;
  const DataEnvironment* const environment = task.environment;
};

/// The current task is about to wait. Where it is one chunk of several that its member keeps, others may take
/// the rest from now on: it may be one of them that it waits for.
inline void publish_private_chunks(Member& me) {
  if (me.context.chunks != nullptr) [[unlikely]]
    me.context.chunks->publish(me);
}

}  // namespace heddle
