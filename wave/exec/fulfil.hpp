// omp_fulfill_event() of the runtime that the program runs on, whoever it was linked with: what libgomp's
// linker gives has a version that other runtimes lack.
#pragma once

#include <dlfcn.h>
#include <omp.h>

#include <cstdint>

namespace heddle::wave {

/// Requires: the runtime has events. Threads: any.
inline void fulfil(std::uint64_t event) {
  using Function = void (*)(omp_event_handle_t);
  static const auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "omp_fulfill_event"));
  function(static_cast<omp_event_handle_t>(event));
}

}  // namespace heddle::wave
