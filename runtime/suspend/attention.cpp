#include "suspend/attention.hpp"

namespace heddle {
namespace {

constinit std::atomic<int> g_spawned{0};

}  // namespace

constinit std::atomic<int> g_attention{0};

void expect_spawned(int count) {
  g_spawned.fetch_add(count, std::memory_order_relaxed);
  g_attention.fetch_add(count, std::memory_order_relaxed);
}

bool has_spawned() {
  return g_spawned.load(std::memory_order_relaxed) != 0;
}

}  // namespace heddle
