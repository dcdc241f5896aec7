// The program's word to a tool: OpenMP 5.2, section 18.14.
#include "abi/export.hpp"
#include "team/tool_events.hpp"

using namespace heddle;

HEDDLE_EXPORT int omp_control_tool(int command, int modifier, void* argument) {
  constexpr int kNoTool = -2, kNoCallback = -1;
  Task& task = *this_member().current;
  if (!has_tool()) return kNoTool;
  const ompt_callback_t callback = g_tool_callbacks.get(ompt_callback_control_tool);
  if (callback == nullptr) return kNoCallback;
  const bool has_entered = enter_runtime(task, __builtin_frame_address(0));
  const int answer = reinterpret_cast<ompt_callback_control_tool_t>(callback)(
      static_cast<std::uint64_t>(command), static_cast<std::uint64_t>(modifier), argument,
      __builtin_return_address(0));
  if (has_entered) leave_runtime(task);
  return answer;
}
