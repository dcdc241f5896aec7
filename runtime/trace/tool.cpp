#include "trace/tool.hpp"

#include <algorithm>

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "mem/cache.hpp"

// Of programs that are built with ThreadSanitizer.
extern "C" [[gnu::weak]] void __tsan_init();

namespace heddle {

constinit RelaxedAtomic<bool> g_has_tool{false};
constinit ToolCallbacks g_tool_callbacks;
constinit Published<heddle_callback_suspend_t> g_suspend_callback{nullptr};
constinit ToolCall g_start_tool = nullptr;
constinit ToolCall g_end_tool = nullptr;

namespace {
// Of the tool that is active, or was.
Published<Observer*> g_tool_observer{nullptr};
}  // namespace

void activate_tool(Observer& observer) {
  g_tool_observer = &observer;
  add_observer(observer);
  g_has_tool.store(true);
}

bool deactivate_tool() {
  Observer* const observer = g_tool_observer.seen();
  if (observer == nullptr || !g_has_tool.exchange(false)) return false;
  remove_observer(*observer);
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
  static RelaxedAtomic<std::uint64_t> last{0};
  return last.fetch_add(1) + 1;
}

}  // namespace heddle
