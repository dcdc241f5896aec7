// A hash of addresses, whose low bits say little.
#pragma once

#include <cstdint>

namespace heddle {

/// Fibonacci hashing: the upper bits of the result are the good ones.
/// Source: Knuth, The Art of Computer Programming, volume 3, section 6.4.
inline std::uint64_t hash_of(std::uint64_t x) {
  x ^= x >> 32;
  return x * 0x9e3779b97f4a7c15u;
}
inline std::uint64_t hash_of(const void* address) {
  return hash_of(std::uint64_t{reinterpret_cast<std::uintptr_t>(address)});
}

}  // namespace heddle
