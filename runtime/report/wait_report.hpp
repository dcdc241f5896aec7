// Who waits for what, and for whom: a picture of a process that hangs.
#pragma once

#include <string>

#include "report/report_places.hpp"

namespace heddle {

/// One paragraph a waiting task, then the cycle, if they wait in one. Empty where nobody waits for anything.
/// Requires: nothing progresses meanwhile.
std::string report_waits(Places places);

}  // namespace heddle
