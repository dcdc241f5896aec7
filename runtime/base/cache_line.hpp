// The size to which fields written by different threads are kept apart.
#pragma once

#include <cstddef>

namespace heddle {

inline constexpr std::size_t kCacheLine = 64;

}  // namespace heddle
