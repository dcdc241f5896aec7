// The machine's processors as hwloc sees them.
//
// Words: a *processor* is a hardware thread, named by the operating system's number. Invariant: only
// processors that the process was allowed to use when it started are ever reported.
#pragma once

#include <vector>

namespace heddle {

enum class TopologyLevel { kThread, kCore, kLastLevelCache, kNumaDomain, kSocket };

/// The processors of each object of that level, in the order of the machine; objects without an allowed
/// processor are left out. Cost: discovers the machine on first use, milliseconds.
std::vector<std::vector<int>> processors_by(TopologyLevel level);

}  // namespace heddle
