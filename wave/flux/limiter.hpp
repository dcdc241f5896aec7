// How steep a volume's values may be taken to be, from its neighbours' values.
//
// Invariant: equal values have no slope, to the bit; the slope of reversed values is the negative one.
//
// Source: LeVeque, "Finite volume methods for hyperbolic problems", section 6.9; Kurganov and Tadmor, "New
// high-resolution central schemes", 2000, equation 2.6, for limiters between minmod and monotonized-central.
#pragma once

#include "wave/flux/lanes.hpp"

namespace heddle::wave {

enum class Limiter : unsigned char {
  minmod,  // the flatter of the two one-sided differences
  mc,      // monotonized-central: the central difference, if twice the one-sided ones allow it
  none,    // the central difference: for smooth flows alone, since shocks ring
};

/// Per volume's width. below, here, above: values of three volumes in a row.
template <Number T>
[[nodiscard]] [[gnu::always_inline]] inline T slope(Limiter limiter, const T& below, const T& here,
                                                    const T& above) {
  const T lower = here - below, upper = above - here;
  const T central = 0.5 * (lower + upper);
  if (limiter == Limiter::none) return central;
  T size = lesser(magnitude(lower), magnitude(upper));
  if (limiter == Limiter::mc) size = lesser(T(2.0 * size), magnitude(central));
  // Where one side rises and the other one falls there is none.
  size = unless(lower * upper > T{}, T{}, size);
  return unless(central < T{}, size, T(-size));
}

}  // namespace heddle::wave
