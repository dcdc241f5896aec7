// The random numbers of the NAS Parallel Benchmarks (RNR-94-007, section 2.3): x' = a x mod 2^46.
#pragma once

#include <cstdint>

namespace nas {

inline constexpr std::uint64_t kMultiplier = 1220703125;  // 5^13
inline constexpr std::uint64_t kModulusMask = (std::uint64_t{1} << 46) - 1;

/// a b mod 2^46. The product's overflow is a multiple of 2^64, and so of 2^46.
inline constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return a * b & kModulusMask;
}

/// a^exponent mod 2^46.
inline constexpr std::uint64_t power(std::uint64_t a, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent /= 2, a = product(a, a)) {
    if (exponent % 2 == 1) result = product(result, a);
  }
  return result;
}

/// A row of random numbers.
class Random {
 public:
  /// The numbers of a seed, without the first so many.
  explicit constexpr Random(std::uint64_t seed, std::uint64_t skipped = 0)
      : state_(product(seed, power(kMultiplier, skipped))) {}

  /// The next number, between 0 and 1.
  constexpr double next() {
    state_ = product(state_, kMultiplier);
    return static_cast<double>(state_) * 0x1p-46;
  }

 private:
  std::uint64_t state_;
};

}  // namespace nas
