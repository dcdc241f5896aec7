#include "trace/tool.hpp"

#include <algorithm>

#include "mem/cache.hpp"

// Of programs that are built with ThreadSanitizer.
extern "C" [[gnu::weak]] void __tsan_init();

namespace heddle {

constinit std::atomic<bool> g_has_tool{false};
constinit ToolCallbacks g_tool_callbacks;
constinit std::atomic<heddle_callback_suspend_t> g_suspend_callback{nullptr};
constinit ToolCall g_start_tool = nullptr;
constinit ToolCall g_end_tool = nullptr;

namespace {
std::atomic<Observer*> g_tool_observer{nullptr};
}  // namespace

void activate_tool(Observer& observer) {
  g_tool_observer.store(&observer, std::memory_order_relaxed);
  add_observer(observer);
  g_has_tool.store(true, std::memory_order_release);
}

bool deactivate_tool() {
  if (!g_has_tool.exchange(false, std::memory_order_acq_rel)) return false;
  remove_observer(*g_tool_observer.load(std::memory_order_relaxed));
  return true;
}

std::size_t bytes_with_tool(std::size_t bytes) {
  if (!has_tool()) return bytes;
  const std::size_t all =
      (bytes + alignof(ToolTask) - 1) / alignof(ToolTask) * alignof(ToolTask) + sizeof(ToolTask);
  // ThreadSanitizer knows from malloc() and free() alone that memory serves another purpose. In a cache's
  // block the creator of the next task seems to write what the last one has read. Larger ones are the
  // system's.
  constexpr std::size_t kOfSystem = 2 * MemoryCache::kLargestClass;
  return __tsan_init != nullptr ? std::max(all, kOfSystem) : all;
}

std::uint64_t unique_tool_id() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace heddle
