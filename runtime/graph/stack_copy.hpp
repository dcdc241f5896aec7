// Recorded data that their body gets a copy of, on its stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/cache_line.hpp"

namespace heddle {

inline constexpr std::size_t kFewBytes = 32, kMostOnStack = 256;

/// Whether a copy can be had. bytes: in whole words.
inline bool fits_stack(std::size_t bytes, std::size_t alignment) {
  return bytes <= kMostOnStack && alignment <= (bytes <= kFewBytes ? alignof(std::max_align_t) : kCacheLine);
}

[[gnu::noinline]] inline void run_with_large_copy(void (*run)(void*, void*), void* code, const void* data,
                                                  std::size_t bytes) {
  alignas(kCacheLine) char copy[kMostOnStack];
  std::memcpy(copy, data, bytes);
  run(code, copy);
}

/// run(code, a copy of the data). Requires: fits_stack(); kFewBytes of the data may be read.
inline void run_with_copy(void (*run)(void*, void*), void* code, const char* data, std::size_t bytes) {
  if (bytes > kFewBytes) return run_with_large_copy(run, code, data, bytes);
  alignas(std::max_align_t) char copy[kFewBytes];
  std::memcpy(copy, data, kFewBytes);  // whatever they are: to ask how many would take longer
  run(code, copy);
}

}  // namespace heddle
