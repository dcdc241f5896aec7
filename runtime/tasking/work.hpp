// What tasking does for suspend/ (suspend/work.hpp).
#pragma once

namespace heddle {

/// Once, before the first thread is a worker.
void connect_tasking_to_suspend();

}  // namespace heddle
