// First order: Rusanov's flux across every face between two volumes, and forward Euler in time.
//
// Invariant: a face between two volumes of a patch has one flux. The same values along another axis, or in
// reverse, give the same bits.
//
// Source: Rusanov, "The calculation of the interaction of non-stationary shock waves and obstacles", 1961;
// LeVeque, "Finite volume methods for hyperbolic problems", section 12.5.
#pragma once

#include <algorithm>
#include <utility>

#include "wave/flux/patch_kernel.hpp"

namespace heddle::wave {

/// The flux from a volume to the one above it along an axis.
template <Equation E>
[[nodiscard]] inline State<E> rusanov(const E& equation, const State<E>& low, const State<E>& high,
                                      int axis) {
  State<E> f_low, f_high, f;
  const double speed = greater(equation.flux(low, axis, f_low), equation.flux(high, axis, f_high));
  for (int v = 0; v < E::kUnknowns; ++v)
    f[v] = 0.5 * (f_low[v] + f_high[v]) - 0.5 * speed * (high[v] - low[v]);
  return f;
}

/// Finds residuals of patches of one shape, and updates them. It keeps rows of fluxes: one per thread.
template <Equation E, int D>
class RusanovStep : public PatchKernel<E, D> {
 public:
  RusanovStep(const E& equation, const PatchShape<D>& shape) : Kernel(equation, shape) {
    for (Line* line : {&below_, &here_, &flux_low_, &flux_high_}) *line = this->line(kUnknowns + 1);
  }

  /// The residual of every volume. q: planes with valid ghosts. residual: planes; the ghosts stay as they
  /// are. dx: a volume's width. Cost: one pass per axis; flux and eigenvalue once per volume and axis.
  void find_residual(const double* q, double* residual, [[maybe_unused]] double dx,
                     const GivenFluxes<D>& given = {}) {
    along_axis<0>(q, residual, given);
    along_axis<1>(q, residual, given);
    if constexpr (D == 3) along_axis<2>(q, residual, given);
    if constexpr (HasSource<E>) subtract_sources(q, residual, dx);
  }

 private:
  using Kernel = PatchKernel<E, D>;
  using Line = typename Kernel::Line;  // fluxes, then eigenvalues
  using Kernel::kUnknowns;

  // Axes are constants, so that a state's unknowns are registers and loops over volumes are vectorised.
  template <int kAxis>
  void along_axis(const double* q, double* residual, const GivenFluxes<D>& given) {
    this->for_each_row(kAxis, [&](std::ptrdiff_t row, int transverse) {
      if constexpr (kAxis == 0) {
        along_rows(q + row, residual + row, given, transverse);
      } else {
        across_rows<kAxis>(q + row, residual + row, given, transverse);
      }
    });
  }

  /// Fluxes and eigenvalues along an axis of `count` volumes in a row, and of what lies behind them up to a
  /// whole number of lanes, which may be no gas at all and is not used.
  template <int kAxis>
  void evaluate(const double* values, int count, Line& line) const {
    for (int i = 0; i < count; i += kLanes) {
      std::array<Lanes, kUnknowns> f;
      const Lanes speed = this->equation().flux(this->unknowns(values + i), kAxis, f);
      for (int v = 0; v < kUnknowns; ++v) store_lanes(line.data() + i + v * this->stride(), f[v]);
      store_lanes(line.data() + i + kUnknowns * this->stride(), speed);
    }
  }

  /// Fluxes between `count` volumes and those `step` above them, whose fluxes stand `shift` further in
  /// `high`.
  void between(const double* values, std::ptrdiff_t step, int count, const Line& low, const Line& high,
               int shift, Line& flux) const {
    const std::ptrdiff_t plane = this->shape().plane(), stride = this->stride();
    const double *const lo = low.data(), *const hi = high.data() + shift;
    double* const out = flux.data();
    for (int v = 0; v < kUnknowns; ++v) {
      const double* const q = values + v * plane;
#pragma omp simd
      for (int i = 0; i < count; ++i) {
        const double speed = greater(lo[i + kUnknowns * stride], hi[i + kUnknowns * stride]);
        out[i + v * stride] =
            0.5 * (lo[i + v * stride] + hi[i + v * stride]) - 0.5 * speed * (q[i + step] - q[i]);
      }
    }
  }

  void along_rows(const double* q, double* residual, const GivenFluxes<D>& given, int transverse) {
    const int n = this->shape().volumes();
    const std::ptrdiff_t plane = this->shape().plane(), stride = this->stride();
    evaluate<0>(q - 1, n + 2, here_);
    between(q - 1, 1, n + 1, here_, here_, 1, flux_low_);
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

  template <int kAxis>
  void across_rows(const double* q, double* residual, const GivenFluxes<D>& given, int transverse) {
    const int n = this->shape().volumes();
    const std::ptrdiff_t plane = this->shape().plane(), up = this->shape().stride(kAxis),
                         stride = this->stride();
    evaluate<kAxis>(q - up, n, below_);
    for (int j = 0; j <= n; ++j) {
      const double* const row = q + j * up;
      evaluate<kAxis>(row, n, here_);
      const double* const from = j == 0 ? given[2 * kAxis] : (j == n ? given[2 * kAxis + 1] : nullptr);
      if (from == nullptr) {
        between(row - up, up, n, below_, here_, 0, flux_high_);
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
      std::swap(below_, here_);
      std::swap(flux_low_, flux_high_);
    }
  }

  void subtract_sources(const double* q, double* residual, double dx) const {
    this->for_each_row(0, [&](std::ptrdiff_t row, int) {
      for (int i = 0; i < this->shape().volumes(); ++i) {
        State<E> here;
        for (int v = 0; v < kUnknowns; ++v) here[v] = q[row + i + v * this->shape().plane()];
        const State<E> s = this->equation().source(here);
        for (int v = 0; v < kUnknowns; ++v) residual[row + i + v * this->shape().plane()] -= dx * s[v];
      }
    });
  }

  Line below_, here_, flux_low_, flux_high_;
};

}  // namespace heddle::wave
