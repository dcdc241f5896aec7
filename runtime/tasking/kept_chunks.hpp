// Chunks of a taskloop that a member has taken and not begun (tasking/taskloop.hpp).
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace heddle {

struct Taskloop;

/// The chunks of a batch that no queue knows: those behind the one that is being executed.
struct KeptChunks {
  Taskloop& loop;
  Task& task;
  void (*hand_on)(Member& me);  // leaves them to whoever comes first
  std::uint64_t next, last;
  // The task's when it began, which a chunk in the middle of its execution may have changed.
  TaskGroup* const group = task.group;
  const DataEnvironment* const environment = task.environment;
};

/// The current task waits. Where it is one chunk of several that its member keeps, others may take the rest
/// from now on: it may be one of them that it waits for.
inline void before_wait(Member& me) {
  if (me.kept_chunks != nullptr) [[unlikely]]
    me.kept_chunks->hand_on(me);
}

}  // namespace heddle
