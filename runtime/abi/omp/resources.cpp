// Giving resources back: OpenMP 5.2, section 18.6. Both kinds of pause end the threads that no region needs;
// they are started anew when one does. Nothing else is held that a pause could free. OpenMP 6.0 has a third,
// which ends the tool as well, for all devices at once alone.
#include "abi/host_device.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "team/workers.hpp"
#include "trace/tool.hpp"

using namespace heddle;

namespace {

enum Pause : int { kResume = 0, kSoft = 1, kHard = 2, kStopTool = 3 };  // the first is LLVM's
constexpr int kFailed = -1;

int pause(int kind) {
  if (kind == kResume) return 0;
  if (kind != kSoft && kind != kHard) return kFailed;
  return release_threads() ? 0 : kFailed;
}

}  // namespace

HEDDLE_EXPORT int omp_pause_resource(int kind, int device) {
  return is_host(device) ? pause(kind) : kFailed;
}
HEDDLE_EXPORT int omp_pause_resource_all(int kind) {
  if (kind != kStopTool) return pause(kind);
  if (!release_threads()) return kFailed;
  if (has_tool()) g_end_tool();
  return 0;
}

HEDDLE_OMP_VERSIONS(omp_pause_resource);
HEDDLE_OMP_VERSIONS(omp_pause_resource_all);
