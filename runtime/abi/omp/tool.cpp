// The program's word to a tool: OpenMP 5.2, section 18.14. No tool can be loaded yet.
#include "abi/export.hpp"

HEDDLE_EXPORT int omp_control_tool(int /*command*/, int /*modifier*/, void* /*argument*/) {
  return -2;  // omp_control_tool_notool
}
