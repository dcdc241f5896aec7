#include "suspend/poll_count.hpp"

namespace heddle {
namespace {

constinit std::atomic<int> g_spawned{0};
constinit std::atomic<std::uint32_t> g_watch_round{1};

}  // namespace

constinit std::atomic<int> g_to_poll{0};

void expect_spawned(int count) {
  g_spawned.fetch_add(count, std::memory_order_relaxed);
  g_to_poll.fetch_add(count, std::memory_order_relaxed);
  if (count > 0) begin_watch_round();
}

bool has_spawned() {
  return g_spawned.load(std::memory_order_relaxed) != 0;
}

void begin_watch_round() {
  // release: whoever watches in this round sees what began it. 0 stands for no round, once in 4 billion.
  if (g_watch_round.fetch_add(1, std::memory_order_release) == UINT32_MAX) begin_watch_round();
}

std::uint32_t watch_round() {
  return g_watch_round.load(std::memory_order_acquire);
}

}  // namespace heddle
