// Division by a small constant, without the divide unit.
//
// A vector division costs about as much as a whole 7-point stencil otherwise does. With fused multiply-add a
// correctly rounded quotient costs three operations (Markstein 1990): take z, the rounded reciprocal; q =
// x*z; the remainder r = x - d*q is exact in one fused operation; q + r*z rounds to the quotient.
//
// Domain: bit-identical to x / d for x = +0 and for finite x of either sign with 2^-960 <= |x| <= 2^1020, d =
// 7 or 27; checked by tests/unit/amr/kernel. Outside: -0 gives +0, infinities give NaN, and results near the
// smallest normal number may differ in the last bit.
#pragma once

namespace heddle::amr {

template <int kDivisor>
[[nodiscard]] inline double divided_by(double x) {
  static_assert(kDivisor == 7 || kDivisor == 27, "the domain is proven for these only");
#ifdef __FMA__
  constexpr double d = kDivisor;
  constexpr double z = 1.0 / d;
  const double q = x * z;
  const double r = __builtin_fma(-d, q, x);
  return __builtin_fma(r, z, q);
#else
  return x / kDivisor;
#endif
}

}  // namespace heddle::amr
