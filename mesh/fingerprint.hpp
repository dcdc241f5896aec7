// One number for a mesh: the same for two meshes exactly when (but for a collision) they are equal.
#pragma once

#include <cstdint>
#include <string>

#include "mesh/part.hpp"

namespace heddle::mesh {

/// The sum over a part's own leaves of splitmix64(number) modulo 2^64. The sum over all ranks is the mesh's.
template <int D, int R>
[[nodiscard]] std::uint64_t fingerprint(const Part<D, R>& part) {
  std::uint64_t sum = 0;
  for (int n = 0; n < part.own(); ++n) {
    std::uint64_t z = static_cast<std::uint64_t>(part.leaf(n).number) + 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    sum += z ^ (z >> 31);
  }
  return sum;
}

/// Sixteen hexadecimal digits.
[[nodiscard]] std::string to_hex(std::uint64_t fingerprint);

}  // namespace heddle::mesh
