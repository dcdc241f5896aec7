// Whether threads have to look after more than tasks at their scheduling points.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// Pollers that are registered, tasks that sleep for a time, and spawned ones.
extern constinit std::atomic<int> g_to_poll;

inline bool needs_poll() {
  return g_to_poll.load(std::memory_order_relaxed) != 0;
}

/// There are so many more spawned tasks, to be looked after like pollers.
void expect_spawned(int count);
bool has_spawned();

/// What there is to watch has grown: see sched/pollers.hpp.
void begin_watch_round();
std::uint32_t watch_round();

}  // namespace heddle
