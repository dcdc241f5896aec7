// The one device there is: the host. Its number is 0, the number of other devices; kInitialDevice names it as
// well.
#pragma once

#include "icv/settings.hpp"
#include "sys/fatal.hpp"
#include "task/data_environment.hpp"

namespace heddle {

inline constexpr int kOffloadDevices = 0;
inline constexpr int kHostDevice = kOffloadDevices;

inline bool is_host(int device) {
  return device == kHostDevice || device == kInitialDevice;
}

/// What a device construct or device memory routine asks first. Another device than the host gets the host's
/// service, unless OMP_TARGET_OFFLOAD=mandatory forbids that and so ends the program (OpenMP 5.2, section
/// 21.2.8).
inline void require_available(int device) {
  if (!is_host(device) && settings().target_offload == TargetOffload::kMandatory)
    fatal(
        "OMP_TARGET_OFFLOAD=mandatory asks for a device to offload to, and there is none; unset it to run "
        "target regions on the host");
}

}  // namespace heddle
