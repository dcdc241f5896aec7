// Eight volumes' values side by side, for equations to compute with: one register of AVX-512, two of AVX2,
// four of SSE2, as the compiler sees fit.
//
// Invariant: arithmetic is element by element and rounds as scalar code does, so that a function of eight
// volumes gives each of them the bits that it gives one.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

namespace heddle::wave {

using Lanes = double __attribute__((vector_size(64)));
inline constexpr int kLanes = 8;

/// A number of an equation: a double, or those of eight volumes.
template <class T>
concept Number = std::is_same_v<T, double> || std::is_same_v<T, Lanes>;

[[gnu::always_inline]] inline Lanes load_lanes(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
[[gnu::always_inline]] inline void store_lanes(double* to, const Lanes& lanes) {
  std::memcpy(to, &lanes, sizeof lanes);
}

/// What std has for doubles.
[[gnu::always_inline]] inline double square_root(double x) {
  return std::sqrt(x);
}
[[gnu::always_inline]] inline double magnitude(double x) {
  return std::abs(x);
}
[[gnu::always_inline]] inline double greater(double x, double y) {
  return x < y ? y : x;
}

[[gnu::always_inline]] inline double lesser(double x, double y) {
  return y < x ? y : x;
}
[[gnu::always_inline]] inline bool is_no_number(double x) {
  return x != x;
}
/// `other` where `is_so`, else `one`.
[[gnu::always_inline]] inline double unless(bool is_so, double one, double other) {
  return is_so ? other : one;
}
[[gnu::always_inline]] inline bool is_any(bool is_so) {
  return is_so;
}

[[gnu::always_inline]] inline Lanes square_root(const Lanes& x) {
#if __has_builtin(__builtin_elementwise_sqrt)
  return __builtin_elementwise_sqrt(x);
#else
  Lanes root = x;  // GCC 12 takes it for uninitialised otherwise, on processors with AVX-512
  for (int i = 0; i < kLanes; ++i) root[i] = std::sqrt(root[i]);
  return root;
#endif
}
[[gnu::always_inline]] inline Lanes magnitude(const Lanes& x) {
  return x < 0.0 ? -x : x;
}
[[gnu::always_inline]] inline Lanes greater(const Lanes& x, const Lanes& y) {
  return x < y ? y : x;
}

[[gnu::always_inline]] inline Lanes lesser(const Lanes& x, const Lanes& y) {
  return y < x ? y : x;
}

/// Of eight volumes each one's answer to a question: all bits or none.
using Which = decltype(Lanes{} < Lanes{});

[[gnu::always_inline]] inline Which is_no_number(const Lanes& x) {
  return x != x;
}
[[gnu::always_inline]] inline Lanes unless(const Which& is_so, const Lanes& one, const Lanes& other) {
  return is_so ? other : one;
}
[[gnu::always_inline]] inline bool is_any(const Which& is_so) {
  long long any = 0;
  for (int i = 0; i < kLanes; ++i) any |= is_so[i];
  return any != 0;
}

}  // namespace heddle::wave
