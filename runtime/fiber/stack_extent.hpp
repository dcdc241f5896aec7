// The stack of a context, as the sanitizers have to know it.
#pragma once

#include <cstddef>

namespace heddle {

struct StackExtent {
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  void* fake_frames = nullptr;  // AddressSanitizer's frames that it keeps apart
  void* fiber = nullptr;        // ThreadSanitizer's
};

}  // namespace heddle
