// What options and results call the choices that are no names of tables: one list for both.
#pragma once

#include <array>
#include <utility>

#include "wave/exec/models.hpp"
#include "wave/problem/request.hpp"

namespace heddle::wave {

template <class Value, std::size_t N>
using Words = std::array<std::pair<const char*, Value>, N>;

inline constexpr Words<EnclaveWait, 3> kWaits{
    {{"poll", EnclaveWait::poll}, {"dependence", EnclaveWait::dependence}, {"event", EnclaveWait::event}}};
inline constexpr Words<QueueKind, 2> kQueues{{{"central", QueueKind::central}, {"local", QueueKind::local}}};
inline constexpr Words<Cut, 2> kCuts{{{"well", Cut::well}, {"ill", Cut::ill}}};
inline constexpr Words<CriterionKind, 3> kCriteria{
    {{"jump", CriterionKind::jump}, {"ball", CriterionKind::ball}, {"fixed", CriterionKind::fixed}}};
inline constexpr Words<HangingFlux, 2> kHangingFluxes{
    {{"fine", HangingFlux::from_fine}, {"mean", HangingFlux::of_means}}};

inline constexpr Words<Scheme, 2> kSchemes{
    {{"rusanov", Scheme::rusanov}, {"muscl-hancock", Scheme::muscl_hancock}}};
inline constexpr Words<Limiter, 3> kLimiters{
    {{"minmod", Limiter::minmod}, {"mc", Limiter::mc}, {"none", Limiter::none}}};

/// Requires: the words have the value.
template <class Value, std::size_t N>
[[nodiscard]] const char* word_of(const Words<Value, N>& words, Value value) {
  for (const auto& [word, meaning] : words) {
    if (meaning == value) return word;
  }
  return "";
}

}  // namespace heddle::wave
