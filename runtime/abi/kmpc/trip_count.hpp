// How many iterations a loop has whose bounds Clang passes.
#pragma once

#include <cstdint>
#include <type_traits>

namespace heddle::kmpc {

/// Loop bounds are inclusive. The number of iterations, as unsigned; `upper` may be below `lower`: none.
template <class T>
std::uint64_t trip_count(T lower, T upper, std::make_signed_t<T> step) {
  using U = std::make_unsigned_t<T>;
  if (step > 0)
    return upper < lower ? 0
                         : std::uint64_t{static_cast<U>(static_cast<U>(upper) - static_cast<U>(lower))} /
                                   static_cast<U>(step) +
                               1;
  return lower < upper ? 0
                       : std::uint64_t{static_cast<U>(static_cast<U>(lower) - static_cast<U>(upper))} /
                                 static_cast<U>(-static_cast<U>(step)) +
                             1;
}

}  // namespace heddle::kmpc
