// Whether threads have to look after more than tasks at their scheduling points.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// Pollers that are registered, tasks that sleep for a time, and spawned ones.
inline constinit std::atomic<int> g_to_poll{0};

inline bool needs_poll() {
  return g_to_poll.load(std::memory_order_relaxed) != 0;
}

inline constinit std::atomic<int> g_spawned{0};
inline constinit std::atomic<std::uint32_t> g_watch_round{1};

/// What there is to watch has grown: see sched/pollers.hpp.
inline void begin_watch_round() {
  // release: the thread that watches in this round sees what began it. 0 stands for no round, once in 4
  // billion.
  if (g_watch_round.fetch_add(1, std::memory_order_release) == UINT32_MAX) begin_watch_round();
}
inline std::uint32_t watch_round() {
  return g_watch_round.load(std::memory_order_acquire);  // acquire: pairs with begin_watch_round()
}

/// There are so many more spawned tasks, to be looked after like pollers.
inline void expect_spawned(int count) {
  g_spawned.fetch_add(count, std::memory_order_relaxed);
  g_to_poll.fetch_add(count, std::memory_order_relaxed);
  if (count > 0) begin_watch_round();
}
inline bool has_spawned() {
  return g_spawned.load(std::memory_order_relaxed) != 0;
}

}  // namespace heddle
