// Copies of few bytes, of a number that is not known before: a call of memcpy() would take longer.
#pragma once

#include <cstddef>
#include <cstring>

namespace heddle {

namespace copying {
// The first bytes and the last ones, which may be the same.
template <std::size_t kBytes>
void copy_ends(char* to, const char* from, std::size_t bytes) {
  char first[kBytes], last[kBytes];
  std::memcpy(first, from, kBytes);
  std::memcpy(last, from + bytes - kBytes, kBytes);
  std::memcpy(to, first, kBytes);
  std::memcpy(to + bytes - kBytes, last, kBytes);
}
}  // namespace copying

/// memcpy(), at its best where there are 8, 16, or up to 64 bytes.
[[gnu::always_inline]] inline void copy_few(void* to, const void* from, std::size_t bytes) {
  auto* const t = static_cast<char*>(to);
  const auto* const f = static_cast<const char*>(from);
  if (bytes == 8) {
    std::memcpy(t, f, 8);
  } else if (bytes == 16) {
    std::memcpy(t, f, 16);
  } else if (bytes > 16 && bytes <= 32) {
    copying::copy_ends<16>(t, f, bytes);
  } else if (bytes > 32 && bytes <= 64) {
    copying::copy_ends<32>(t, f, bytes);
  } else if (bytes != 0) {
    std::memcpy(t, f, bytes);
  }
}

}  // namespace heddle
