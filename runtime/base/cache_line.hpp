// Cache lines: the size to which fields written by different threads are kept apart, and fetching one that is
// about to be written.
#pragma once

#include <cstddef>

namespace heddle {

inline constexpr std::size_t kCacheLine = 64;

/// Fetches the cache line of `address` for writing. Where it lies in another processor's cache, a line that
/// was fetched for reading would have to be asked for once more.
inline void prefetch_to_write(const void* address) {
#if defined(__x86_64__)
  // Compilers emit it only for processors that are known to have it; to others it is no operation.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace heddle
