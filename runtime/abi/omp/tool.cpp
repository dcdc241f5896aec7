// The program's word to a tool: OpenMP 5.2, section 18.14.
#include "trace/tool.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/fortran.hpp"
#include "abi/ompt/ompt.hpp"
#include "team/team.hpp"

using namespace heddle;

HEDDLE_EXPORT int omp_control_tool(int command, int modifier, void* argument) {
  constexpr int kNoTool = -2, kNoCallback = -1;
  Task& task = *this_member().context.task;
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

// gfortran passes references, LLVM's runtime takes values.
HEDDLE_EXPORT int omp_control_tool_(const std::int32_t* command, const std::int32_t* modifier) {
  return omp_control_tool(*command, *modifier, nullptr);
}
HEDDLE_EXPORT int omp_control_tool_8_(const std::int32_t* command, const std::int64_t* modifier) {
  return omp_control_tool(*command, narrow(*modifier), nullptr);
}
HEDDLE_EXPORT int omp_control_tool_of_clang_(int command, int modifier, void* argument) {
  return omp_control_tool(command, modifier, argument);
}

HEDDLE_OMP_VERSIONS(omp_control_tool);
HEDDLE_OMP_VERSIONS_DIFFER(omp_control_tool_, omp_control_tool_of_clang_);
HEDDLE_OMP_VERSIONS(omp_control_tool_8_);
