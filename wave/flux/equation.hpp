// What a conservation law has to say of itself: d/dt q + sum over axes d/dx_axis f(q) = s(q).
//
// Words: *unknowns* are the conserved quantities q of a volume; an *eigenvalue* is a speed at which a wave of
// the linearised law travels along an axis.
//
// An equation is a copyable structure with
//   static constexpr int kUnknowns;
//   static constexpr std::array<const char*, kUnknowns> kNames;
//   // f becomes f(q) along the axis; returns the largest |eigenvalue|. T: double, or those of eight volumes
//   template <Number T> T flux(const Unknowns<T>& q, int axis, Unknowns<T>& f) const;
//   State mirrored(const State& q, int axis) const;         // as a wall across the axis reflects it
// and may have
//   State source(const State& q) const;
//   static constexpr std::array<const char*, kUnknowns> kPrimitiveNames;   // what people talk about in its
//   State primitive(const State& q) const;                                 // place: pressure, not energy
//   static constexpr bool kIsPlanar = true;                 // it has no third dimension
// Of functions flux() may call those of lanes.hpp, and it may not branch on unknowns.
#pragma once

#include <array>
#include <concepts>
#include <utility>

#include "wave/flux/lanes.hpp"

namespace heddle::wave {

/// The unknowns of one volume.
template <class Equation>
using State = std::array<double, static_cast<std::size_t>(Equation::kUnknowns)>;

template <class E>
concept Equation = std::copyable<E> && requires(const E e, const State<E>& q, State<E>& f) {
  { E::kNames } -> std::convertible_to<std::array<const char*, static_cast<std::size_t>(E::kUnknowns)>>;
  { e.flux(q, 0, f) } -> std::same_as<double>;
  e.flux(std::array<Lanes, static_cast<std::size_t>(E::kUnknowns)>{}, 0,
         std::declval<std::array<Lanes, static_cast<std::size_t>(E::kUnknowns)>&>());
  { e.mirrored(q, 0) } -> std::same_as<State<E>>;
};

template <class E>
concept HasPrimitive = requires(const E e, const State<E>& q) {
  {
    E::kPrimitiveNames
  } -> std::convertible_to<std::array<const char*, static_cast<std::size_t>(E::kUnknowns)>>;
  { e.primitive(q) } -> std::same_as<State<E>>;
};

template <class E>
concept IsPlanar = requires { requires E::kIsPlanar; };

template <class E>
concept HasSource = requires(const E e, const State<E>& q) {
  { e.source(q) } -> std::same_as<State<E>>;
};

}  // namespace heddle::wave
