// The internal control variables that a device has once, and that programs may change at any time: OpenMP
// 5.2, section 2.4. They start as the environment says.
#pragma once

#include <atomic>
#include <cstddef>

namespace heddle {

struct DeviceIcvs {
  std::atomic<int> num_teams;           // nteams-var; 0: nobody chose
  std::atomic<int> teams_thread_limit;  // teams-thread-limit-var; 0: nobody chose
  std::atomic<std::size_t>
      stack_bytes;  // stacksize-var, of threads yet to be started; 0: the system's default
};

/// Those of the host. Threads: any; each value is independent of the others.
DeviceIcvs& device_icvs();

}  // namespace heddle
