// The one device there is: the host. Its number is 0, the number of other devices; kInitialDevice names it as
// well.
#pragma once

#include <cstring>

#include "icv/settings.hpp"
#include "sys/fatal.hpp"
#include "task/data_environment.hpp"
#include "team/team.hpp"

namespace heddle {

inline constexpr int kOffloadDevices = 0;
inline constexpr int kHostDevice = kOffloadDevices;

/// omp_default_device of OpenMP 6.1: whatever default-device-var says.
inline constexpr int kDefaultDevice = -5;

/// Its name, the same in every run (OpenMP 6.0, section 24.7), as the stock runtimes have it.
inline constexpr const char* kUidOfGcc = "OMP_INITIAL_DEVICE";
inline constexpr const char* kUidOfClang = "HOST";

inline bool names_host(const char* uid) {
  return uid != nullptr && (std::strcmp(uid, kUidOfGcc) == 0 || std::strcmp(uid, kUidOfClang) == 0);
}

inline bool is_host(int device) {
  if (device == kDefaultDevice) device = environment_of(this_member()).default_device;
  return device == kHostDevice || device == kInitialDevice;
}

/// What a device construct or device memory routine asks first. Another device than the host gets the host's
/// service, unless OMP_TARGET_OFFLOAD=mandatory forbids that and so ends the program (OpenMP 5.2, section
/// 21.2.8). omp_invalid_device ends it in any case (OpenMP 6.0, section 15.2).
inline void require_available(int device) {
  if (is_host(device)) return;
  if (settings().target_offload == TargetOffload::kMandatory)
    fatal(
        "OMP_TARGET_OFFLOAD=mandatory asks for a device to offload to, and there is none; unset it to run "
        "target regions on the host");
  if (device == kInvalidDevice)
    fatal("omp_invalid_device encountered: the program asks for it as a device; give it another number");
}

}  // namespace heddle
