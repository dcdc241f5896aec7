// Second order: MUSCL-Hancock. Volumes have slopes, limited; states at their faces are carried forward by
// half a step; Rusanov's flux goes between the two states at a face.
//
// Words: a volume's *face state* is its value at the middle of one of its faces at the step's begin, its
// *rate* what it changes by per time then. Face states are *carried* half a step forward by the rate.
//
// Invariant: slopes are those of conserved unknowns. A volume of which some face state is no state, as a gas
// of negative pressure, has no slopes and no rate: first order there. It is marked by a rate that is no
// number. A face state that would be none when carried stays. So all face states are states, whoever computes
// them, and a face between two volumes has one flux: what lies across a face of the patch is found from the
// same numbers by the same arithmetic as here.
//
// Source: van Leer, "On the relation between the upwind-differencing schemes of Godunov, Engquist-Osher and
// Roe", 1984, section 6; Toro, "Riemann solvers and numerical methods for fluid dynamics", 3rd edition,
// sections 14.4 and 16.5.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "wave/flux/limiter.hpp"
#include "wave/flux/patch_kernel.hpp"

namespace heddle::wave {

/// The state that a face state becomes after half_dt, with its flux along an axis in f; returns the largest
/// |eigenvalue| there. T: as for an equation.
template <Equation E, Number T>
[[gnu::always_inline]] inline T carry(const E& equation,
                                      std::array<T, static_cast<std::size_t>(E::kUnknowns)>& state,
                                      const std::array<T, static_cast<std::size_t>(E::kUnknowns)>& rate,
                                      double half_dt, int axis,
                                      std::array<T, static_cast<std::size_t>(E::kUnknowns)>& f) {
  const auto before = state;
  for (int v = 0; v < E::kUnknowns; ++v) state[v] = before[v] + half_dt * rate[v];
  const T speed = equation.flux(state, axis, f);
  const auto is_none = is_no_number(speed);
  if (!is_any(is_none)) return speed;
  auto f_before = f;
  const T speed_before = equation.flux(before, axis, f_before);
  for (int v = 0; v < E::kUnknowns; ++v) {
    state[v] = unless(is_none, state[v], before[v]);
    f[v] = unless(is_none, f[v], f_before[v]);
  }
  return unless(is_none, speed, speed_before);
}
/// Without the flux.
template <Equation E>
[[nodiscard]] State<E> carried(const E& equation, State<E> state, const State<E>& rate, double half_dt,
                               int axis) {
  State<E> f;
  (void)carry<E, double>(equation, state, rate, half_dt, axis, f);
  return state;
}

/// What lies across the patch's faces: carried states. Shape: [unknown][transverse volume, the first
/// transverse axis fastest], then kLanes that mean nothing.
template <int D>
using StatesBeyond = std::array<const double*, 2 * static_cast<std::size_t>(D)>;

/// Advances patches of one shape. It keeps rows and one patch's residual: one per thread.
template <Equation E, int D>
class MusclHancock : public PatchKernel<E, D> {
 public:
  MusclHancock(const E& equation, const PatchShape<D>& shape, Limiter limiter)
      : Kernel(equation, shape), limiter_(limiter), residual_(shape.size(kUnknowns)) {
    for (Line* line : {&plus_, &next_plus_, &minus_}) *line = this->line(2 * kUnknowns + 1);
    for (Line* line : {&flux_low_, &flux_high_}) *line = this->line(kUnknowns);
  }

  /// The rate of every volume. q: planes with valid ghosts. rates: planes; the ghosts stay as they are.
  void find_rates(const double* q, double* rates, double dx) const {
    const double per_dx = 1.0 / dx;
    this->for_each_row(0, [&](std::ptrdiff_t row, int) {
      this->for_each_lanes([&](int i, int count) __attribute__((always_inline)) {
        const std::ptrdiff_t at = row + i;
        std::array<Lanes, kUnknowns> rate{};
        Which is_none = is_no_number(Lanes{});
        add_inflow<0>(q + at, rate, is_none);
        add_inflow<1>(q + at, rate, is_none);
        if constexpr (D == 3) add_inflow<2>(q + at, rate, is_none);
        for (int v = 0; v < kUnknowns; ++v)
          rate[v] = unless(is_none, rate[v] * per_dx, Lanes{} + std::numeric_limits<double>::quiet_NaN());
        this->store(rates + at, rate, count);
      });
    });
    if constexpr (HasSource<E>) add_sources(q, rates);
  }

  /// Of one volume: its state at a face (2 * axis + side) and its rate, of planes as find_rates() leaves
  /// them.
  void face_state(const double* q, const double* rates, std::ptrdiff_t at, int face, State<E>& state,
                  State<E>& rate) const {
    const std::ptrdiff_t plane = this->shape().plane(), up = this->shape().stride(face / 2);
    const bool has_slopes = !is_no_number(rates[at]);
    for (int v = 0; v < kUnknowns; ++v) {
      const double* const here = q + at + v * plane;
      const double half = 0.5 * (has_slopes ? slope(limiter_, here[-up], here[0], here[up]) : 0.0);
      state[v] = face % 2 == 0 ? here[0] - half : here[0] + half;
      rate[v] = has_slopes ? rates[at + v * plane] : 0.0;
    }
  }

  /// next: planes that hold the rates, and become the state after dt. given: fluxes, in place of those to
  /// states beyond. Returns what PatchKernel::update() returns.
  double complete(const double* q, double* next, const StatesBeyond<D>& beyond, const GivenFluxes<D>& given,
                  double dt, double dx) {
    half_dt_ = 0.5 * dt;
    along_axis<0>(q, next, beyond, given);
    along_axis<1>(q, next, beyond, given);
    if constexpr (D == 3) along_axis<2>(q, next, beyond, given);
    if constexpr (HasSource<E>) subtract_sources(q, next, dx);
    return this->update(q, residual_.data(), next, dt, dx);
  }

 private:
  using Kernel = PatchKernel<E, D>;
  using Line = typename Kernel::Line;  // states, then fluxes, then eigenvalues
  using Kernel::kUnknowns;
  using States = std::array<Lanes, static_cast<std::size_t>(E::kUnknowns)>;

  /// What flows into eight volumes along an axis, less what flows out: F at the lower face state minus F at
  /// the upper one. is_none: becomes true where one of the two is no state.
  template <int kAxis>
  [[gnu::always_inline]] void add_inflow(const double* q, States& inflow, Which& is_none) const {
    const std::ptrdiff_t up = this->shape().stride(kAxis);
    const States below = this->unknowns(q - up), here = this->unknowns(q), above = this->unknowns(q + up);
    States low, high, f_low, f_high;
    for (int v = 0; v < kUnknowns; ++v) {
      const Lanes half = 0.5 * slope(limiter_, below[v], here[v], above[v]);
      low[v] = here[v] - half;
      high[v] = here[v] + half;
    }
    const Lanes slowest = this->equation().flux(low, kAxis, f_low);
    const Lanes fastest = this->equation().flux(high, kAxis, f_high);
    is_none |= is_no_number(slowest) | is_no_number(fastest);
    for (int v = 0; v < kUnknowns; ++v) inflow[v] += f_low[v] - f_high[v];
  }

  template <int kAxis>
  void along_axis(const double* q, const double* rates, const StatesBeyond<D>& beyond,
                  const GivenFluxes<D>& given) {
    this->for_each_row(kAxis, [&](std::ptrdiff_t row, int transverse) {
      if constexpr (kAxis == 0) {
        along_rows(q + row, rates + row, residual_.data() + row, beyond, given, transverse);
      } else {
        across_rows<kAxis>(q + row, rates + row, residual_.data() + row, beyond, given, transverse);
      }
    });
  }

  /// Carried face states of a row's volumes with fluxes and eigenvalues: those of their upper faces into
  /// `plus`, those of their lower faces into `minus`.
  template <int kAxis>
  void evaluate(const double* q, const double* rates, double* plus, double* minus) const {
    const std::ptrdiff_t up = this->shape().stride(kAxis);
    for (int i = 0; i < this->shape().volumes(); i += kLanes) {
      const States below = this->unknowns(q + i - up), here = this->unknowns(q + i),
                   above = this->unknowns(q + i + up);
      States rate = this->unknowns(rates + i), low, high, f;
      const Which has_none = is_no_number(rate[0]);
      for (int v = 0; v < kUnknowns; ++v) {
        const Lanes half = 0.5 * unless(has_none, slope(limiter_, below[v], here[v], above[v]), Lanes{});
        rate[v] = unless(has_none, rate[v], Lanes{});
        low[v] = here[v] - half;
        high[v] = here[v] + half;
      }
      Lanes speed = carry<E, Lanes>(this->equation(), low, rate, half_dt_, kAxis, f);
      keep(minus + i, low, f, speed);
      speed = carry<E, Lanes>(this->equation(), high, rate, half_dt_, kAxis, f);
      keep(plus + i, high, f, speed);
    }
  }
  [[gnu::always_inline]] void keep(double* to, const States& state, const States& f,
                                   const Lanes& speed) const {
    for (int v = 0; v < kUnknowns; ++v) {
      store_lanes(to + v * this->stride(), state[v]);
      store_lanes(to + (kUnknowns + v) * this->stride(), f[v]);
    }
    store_lanes(to + 2 * kUnknowns * this->stride(), speed);
  }
  /// The same of `count` states beyond a face.
  template <int kAxis>
  void evaluate_beyond(const double* states, int count, double* line) const {
    const int plane = this->shape().face_volumes();
    for (int i = 0; i < count; i += kLanes) {
      States state, f;
      for (int v = 0; v < kUnknowns; ++v) state[v] = load_lanes(states + i + v * plane);
      const Lanes speed = this->equation().flux(state, kAxis, f);
      keep(line + i, state, f, speed);
    }
  }

  void between(const double* low, const double* high, int count, Line& flux) const {
    const std::ptrdiff_t stride = this->stride();
    const double *const lo_speed = low + 2 * kUnknowns * stride, *const hi_speed =
                                                                     high + 2 * kUnknowns * stride;
    for (int v = 0; v < kUnknowns; ++v) {
      const double *const lo = low + v * stride, *const hi = high + v * stride;
      const double *const lo_flux = lo + kUnknowns * stride, *const hi_flux = hi + kUnknowns * stride;
      double* const out = flux.data() + v * stride;
#pragma omp simd
      for (int i = 0; i < count; ++i) {
        const double speed = greater(lo_speed[i], hi_speed[i]);
        out[i] = 0.5 * (lo_flux[i] + hi_flux[i]) - 0.5 * speed * (hi[i] - lo[i]);
      }
    }
  }

  void along_rows(const double* q, const double* rates, double* residual, const StatesBeyond<D>& beyond,
                  const GivenFluxes<D>& given, int transverse) {
    const int n = this->shape().volumes();
    const std::ptrdiff_t plane = this->shape().plane(), stride = this->stride();
    // Face i lies between volumes i - 1 and i.
    evaluate<0>(q, rates, plus_.data() + 1, minus_.data());
    evaluate_one(beyond[0], transverse, plus_.data());
    evaluate_one(beyond[1], transverse, minus_.data() + n);
    between(plus_.data(), minus_.data(), n + 1, flux_low_);
    double* const flux = flux_low_.data();
    for (int v = 0; v < kUnknowns; ++v) {
      if (given[0] != nullptr) flux[v * stride] = given[0][v * this->shape().face_volumes() + transverse];
      if (given[1] != nullptr) flux[n + v * stride] = given[1][v * this->shape().face_volumes() + transverse];
    }
    for (int v = 0; v < kUnknowns; ++v) {
#pragma omp simd
      for (int i = 0; i < n; ++i) residual[i + v * plane] = flux[i + 1 + v * stride] - flux[i + v * stride];
    }
  }
  /// One state of a face across axis 0.
  void evaluate_one(const double* states, int transverse, double* line) const {
    State<E> state, f;
    for (int v = 0; v < kUnknowns; ++v) state[v] = states[transverse + v * this->shape().face_volumes()];
    const double speed = this->equation().flux(state, 0, f);
    for (int v = 0; v < kUnknowns; ++v) {
      line[v * this->stride()] = state[v];
      line[(kUnknowns + v) * this->stride()] = f[v];
    }
    line[2 * kUnknowns * this->stride()] = speed;
  }

  template <int kAxis>
  void across_rows(const double* q, const double* rates, double* residual, const StatesBeyond<D>& beyond,
                   const GivenFluxes<D>& given, int transverse) {
    const int n = this->shape().volumes();
    const std::ptrdiff_t plane = this->shape().plane(), up = this->shape().stride(kAxis);
    const std::ptrdiff_t stride = this->stride();
    evaluate_beyond<kAxis>(beyond[2 * kAxis] + transverse, n, plus_.data());
    for (int j = 0; j <= n; ++j) {
      if (j < n) {
        evaluate<kAxis>(q + j * up, rates + j * up, next_plus_.data(), minus_.data());
      } else {
        evaluate_beyond<kAxis>(beyond[2 * kAxis + 1] + transverse, n, minus_.data());
      }
      const double* const from = j == 0 ? given[2 * kAxis] : (j == n ? given[2 * kAxis + 1] : nullptr);
      if (from == nullptr) {
        between(plus_.data(), minus_.data(), n, flux_high_);
      } else {
        for (int v = 0; v < kUnknowns; ++v)
          std::copy_n(from + v * this->shape().face_volumes() + transverse, n,
                      flux_high_.data() + v * stride);
      }
      if (j > 0) {
        for (int v = 0; v < kUnknowns; ++v) {
          double* const out = residual + (j - 1) * up + v * plane;
          const double *const hi = flux_high_.data() + v * stride, *const lo = flux_low_.data() + v * stride;
#pragma omp simd
          for (int i = 0; i < n; ++i) out[i] += hi[i] - lo[i];
        }
      }
      std::swap(plus_, next_plus_);
      std::swap(flux_low_, flux_high_);
    }
  }

  void add_sources(const double* q, double* rates) const {
    const std::ptrdiff_t plane = this->shape().plane();
    this->for_each_row(0, [&](std::ptrdiff_t row, int) {
      for (int i = 0; i < this->shape().volumes(); ++i) {
        const State<E> s = this->equation().source(volume(q + row + i));
        for (int v = 0; v < kUnknowns; ++v) rates[row + i + v * plane] += s[v];
      }
    });
  }
  /// In the middle of the step.
  void subtract_sources(const double* q, const double* rates, double dx) {
    const std::ptrdiff_t plane = this->shape().plane();
    this->for_each_row(0, [&](std::ptrdiff_t row, int) {
      for (int i = 0; i < this->shape().volumes(); ++i) {
        State<E> state = volume(q + row + i);
        const bool has_rate = !is_no_number(rates[row + i]);
        for (int v = 0; has_rate && v < kUnknowns; ++v) state[v] += half_dt_ * rates[row + i + v * plane];
        const State<E> s = this->equation().source(state);
        for (int v = 0; v < kUnknowns; ++v) residual_[row + i + v * plane] -= dx * s[v];
      }
    });
  }
  [[nodiscard]] State<E> volume(const double* q) const {
    State<E> state;
    for (int v = 0; v < kUnknowns; ++v) state[v] = q[v * this->shape().plane()];
    return state;
  }

  Limiter limiter_;
  double half_dt_ = 0.0;
  std::vector<double> residual_;  // planes
  Line plus_, next_plus_, minus_, flux_low_, flux_high_;
};

}  // namespace heddle::wave
