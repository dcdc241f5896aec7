// Whether threads have to look after more than tasks at their scheduling points.
#pragma once

#include "base/relaxed_atomic.hpp"
#include "sched/pollers.hpp"

namespace heddle {

/// Pollers that are registered, tasks that sleep for a time, and spawned ones.
inline constinit RelaxedAtomic<int> g_to_poll{0};

inline bool needs_poll() {
  return g_to_poll.load() != 0;
}

inline constinit RelaxedAtomic<int> g_spawned{0};
inline constinit WatchRound<> g_watch_round;

/// There are so many more spawned tasks, to be looked after like pollers.
inline void expect_spawned(int count) {
  g_spawned.fetch_add(count);
  g_to_poll.fetch_add(count);
  if (count > 0) g_watch_round.begin();
}
inline bool has_spawned() {
  return g_spawned.load() != 0;
}

}  // namespace heddle
