#include "trace/tool.hpp"

namespace heddle {

constinit std::atomic<bool> g_has_tool{false};
constinit ToolCallbacks g_tool_callbacks;
constinit std::atomic<heddle_callback_suspend_t> g_suspend_callback{nullptr};
constinit ToolCall g_start_tool = nullptr;
constinit ToolCall g_end_tool = nullptr;

std::uint64_t unique_tool_id() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace heddle
