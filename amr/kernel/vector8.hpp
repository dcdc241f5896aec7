// Eight doubles side by side: one register of AVX-512, two of AVX2, four of SSE2, as the compiler sees fit.
//
// Only what the row kernels need. Arithmetic is element by element and rounds as scalar code does, so a
// kernel on vectors gives the same bits as one without.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#ifdef __AVX2__
#  include <immintrin.h>
#endif

namespace heddle::amr {

using Vector8 = double __attribute__((vector_size(64)));

[[gnu::always_inline]] inline Vector8 load8(const double* from) {
  Vector8 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

[[gnu::always_inline]] inline void store8(double* to, const Vector8& v) {
  std::memcpy(to, &v, sizeof v);
}

/// {first, v[0], ..., v[6]}
[[gnu::always_inline]] inline Vector8 shifted_up(const Vector8& v, double first) {
  const Vector8 filler = {first, first, first, first, first, first, first, first};
  return __builtin_shufflevector(filler, v, 0, 8, 9, 10, 11, 12, 13, 14);
}

/// {v[1], ..., v[7], last}
[[gnu::always_inline]] inline Vector8 shifted_down(const Vector8& v, double last) {
  const Vector8 filler = {last, last, last, last, last, last, last, last};
  return __builtin_shufflevector(v, filler, 1, 2, 3, 4, 5, 6, 7, 8);
}

#ifdef __FMA__
/// a*b + c, rounded once.
[[gnu::always_inline]] inline Vector8 fused8(const Vector8& a, const Vector8& b, const Vector8& c) {
#  ifdef __AVX512F__
  return (Vector8)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#  else
  Vector8 result;
  for (int half = 0; half < 2; ++half) {
    const auto part = [half](const Vector8& v) {
      return _mm256_loadu_pd(reinterpret_cast<const double*>(&v) + 4 * half);
    };
    _mm256_storeu_pd(reinterpret_cast<double*>(&result) + 4 * half,
                     _mm256_fmadd_pd(part(a), part(b), part(c)));
  }
  return result;
#  endif
}
#endif

/// Calls use(n) for n = 0 .. kCount-1 as compile-time constants, so that arrays of vectors live in registers.
template <int kCount, class Use>
[[gnu::always_inline]] inline void for_vectors(Use&& use) {
  [&]<int... kN>(std::integer_sequence<int, kN...>) {
    (use(std::integral_constant<int, kN>{}), ...);
  }(std::make_integer_sequence<int, kCount>{});
}

/// divided_by<kDivisor> of each element (divide.hpp).
template <int kDivisor>
[[gnu::always_inline]] inline Vector8 divided_by(const Vector8& x) {
  static_assert(kDivisor == 7 || kDivisor == 27, "the domain is proven for these only");
#ifdef __FMA__
  constexpr double d = kDivisor;
  constexpr double z = 1.0 / d;
  const Vector8 reciprocal = {z, z, z, z, z, z, z, z};
  const Vector8 minus_d = {-d, -d, -d, -d, -d, -d, -d, -d};
  const Vector8 q = x * reciprocal;
  return fused8(fused8(minus_d, q, x), reciprocal, q);
#else
  return x / static_cast<double>(kDivisor);
#endif
}

}  // namespace heddle::amr
