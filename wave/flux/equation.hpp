// What a conservation law has to say of itself: d/dt q + sum over axes d/dx_axis f(q) = s(q).
//
// Words: *unknowns* are the conserved quantities q of a volume; an *eigenvalue* is a speed at which a wave of
// the linearised law travels along an axis.
//
// An equation is a copyable structure with
//   static constexpr int kUnknowns;
//   static constexpr std::array<const char*, kUnknowns> kNames;
//   double flux(const State& q, int axis, State& f) const;  // f(q) along the axis; the largest |eigenvalue|
//   State mirrored(const State& q, int axis) const;         // as a wall across the axis reflects it
// and may have
//   State source(const State& q) const;
// Its functions are called for each volume in vectorised loops: no branch that a select cannot replace, no
// call that cannot be inlined.
#pragma once

#include <array>
#include <concepts>

namespace heddle::wave {

/// The unknowns of one volume.
template <class Equation>
using State = std::array<double, static_cast<std::size_t>(Equation::kUnknowns)>;

template <class E>
concept Equation = std::copyable<E> && requires(const E e, const State<E>& q, State<E>& f) {
  { E::kNames } -> std::convertible_to<std::array<const char*, static_cast<std::size_t>(E::kUnknowns)>>;
  { e.flux(q, 0, f) } -> std::same_as<double>;
  { e.mirrored(q, 0) } -> std::same_as<State<E>>;
};

template <class E>
concept HasSource = requires(const E e, const State<E>& q) {
  { e.source(q) } -> std::same_as<State<E>>;
};

}  // namespace heddle::wave
