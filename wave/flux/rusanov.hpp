// One step of a patch: Rusanov's flux across every face between two volumes, and forward Euler in time.
// First the residual, which asks for no time step; then the update, which does.
//
// Words: a *patch* is N^D volumes and one layer of ghosts beyond each of its faces; corners and edges of the
// ghosts are never read. A patch's values are *planes* of one unknown each. A *row* is volumes that lie along
// axis 0. The *residual* of a volume is what flows out of it, less what flows in and what its sources give:
// the sum over axes of F_high - F_low, minus dx times s(q). *Given* fluxes are those of a patch's face that
// somebody else has computed, because finer patches lie across it.
//
// Invariant: a face between two volumes of a patch has one flux. A volume becomes q - dt/dx residual, so that
// equal fluxes change nothing, and the same values along another axis, or in reverse, give the same bits. No
// contraction (-ffp-contract=off): a compiler's choice must not show.
//
// Source: Rusanov, "The calculation of the interaction of non-stationary shock waves and obstacles", 1961;
// LeVeque, "Finite volume methods for hyperbolic problems", section 12.5.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "wave/flux/equation.hpp"

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

/// How the planes of a patch lie in memory: volume (i, j, k) of the patch at origin() + i + j stride(1) + ...
/// Shape: (N+2)^D doubles for each unknown, ghosts included, one unknown after the other; then kLanes that
/// are read with the last volumes and mean nothing.
template <int D>
class PatchShape {
 public:
  explicit PatchShape(int volumes) : volumes_(volumes) {
    strides_[0] = 1;
    for (int d = 1; d < D; ++d) strides_[d] = strides_[d - 1] * (volumes + 2);
    plane_ = strides_[D - 1] * (volumes + 2);
    for (int d = 0; d < D; ++d) origin_ += strides_[d];
  }

  /// Along each axis.
  [[nodiscard]] int volumes() const { return volumes_; }
  [[nodiscard]] std::ptrdiff_t stride(int axis) const { return strides_[axis]; }
  /// Of a plane, in doubles.
  [[nodiscard]] std::ptrdiff_t plane() const { return plane_; }
  /// Of a patch of so many unknowns, in doubles.
  [[nodiscard]] std::size_t size(int unknowns) const {
    return static_cast<std::size_t>(unknowns * plane_ + kLanes);
  }
  /// Of volume 0, within a plane.
  [[nodiscard]] std::ptrdiff_t origin() const { return origin_; }
  [[nodiscard]] std::ptrdiff_t at(const std::array<int, D>& volume) const {
    std::ptrdiff_t offset = origin_;
    for (int d = 0; d < D; ++d) offset += volume[d] * strides_[d];
    return offset;
  }
  /// Volumes on one of the patch's faces: N^(D-1).
  [[nodiscard]] int face_volumes() const { return D == 2 ? volumes_ : volumes_ * volumes_; }

 private:
  int volumes_;
  std::array<std::ptrdiff_t, D> strides_{};
  std::ptrdiff_t plane_ = 0;
  std::ptrdiff_t origin_ = 0;
};

/// Fluxes of the patch's faces that were computed elsewhere; null: by the kernel.
/// Shape: [unknown][transverse volume, the first transverse axis fastest].
template <int D>
using GivenFluxes = std::array<const double*, 2 * static_cast<std::size_t>(D)>;

/// Advances patches of one shape. It keeps rows of fluxes: one per thread.
template <Equation E, int D>
class RusanovStep {
 public:
  RusanovStep(const E& equation, const PatchShape<D>& shape)
      : equation_(equation), shape_(shape), stride_((shape.volumes() + 2 + kLanes - 1) / kLanes * kLanes) {
    for (Line* line : {&below_, &here_, &flux_low_, &flux_high_})
      line->resize(static_cast<std::size_t>(stride_) * (kUnknowns + 1));
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

  /// In place the residual becomes the state after dt. Returns the largest |eigenvalue| of it, along any
  /// axis; infinity where one is no number, as of a gas whose pressure has become negative. Cost: one pass.
  double update(const double* q, double* residual, double dt, double dx) const {
    const double c = dt / dx;
    return fastest_of_rows([&](std::ptrdiff_t at, int count) {
      const auto before = unknowns(q + at), r = unknowns(residual + at);
      std::array<Lanes, kUnknowns> after;
      for (int v = 0; v < kUnknowns; ++v) {
        after[v] = before[v] - c * r[v];
        if (count == kLanes) {
          store_lanes(residual + at + v * shape_.plane(), after[v]);
        } else {
          for (int i = 0; i < count; ++i) residual[at + i + v * shape_.plane()] = after[v][i];
        }
      }
      return after;
    });
  }

  /// Of all volumes of a patch, along any axis; infinity as for update().
  [[nodiscard]] double largest_eigenvalue(const double* q) const {
    return fastest_of_rows([&](std::ptrdiff_t at, int) { return unknowns(q + at); });
  }

 private:
  static constexpr int kUnknowns = E::kUnknowns;
  // Fluxes, then eigenvalues, of a row, each stride_ after the one before: whole numbers of lanes.
  using Line = std::vector<double>;

  [[gnu::always_inline]] std::array<Lanes, kUnknowns> unknowns(const double* values) const {
    std::array<Lanes, kUnknowns> q;
    for (int v = 0; v < kUnknowns; ++v) q[v] = load_lanes(values + v * shape_.plane());
    return q;
  }

  /// The largest |eigenvalue| of what states(offset, how many of them count) returns for all volumes, kLanes
  /// at a time; what lies behind the end of a row may be no gas at all and does not count.
  template <class States>
  [[gnu::always_inline]] double fastest_of_rows(States&& states) const {
    Lanes fastest{};
    auto is_no_number = fastest != fastest;
    for_each_row(0, [&](std::ptrdiff_t row, int) {
      const auto look = [&](int i, int count) __attribute__((always_inline)) {
        const std::array<Lanes, kUnknowns> q = states(row + i, count);
        for (int axis = 0; axis < D; ++axis) {
          std::array<Lanes, kUnknowns> f;
          Lanes speed = equation_.flux(q, axis, f);
          for (int lane = count; lane < kLanes; ++lane) speed[lane] = 0.0;
          fastest = greater(fastest, speed);
          is_no_number |= speed != speed;
        }
      };
      int i = 0;
      for (; i + kLanes <= shape_.volumes(); i += kLanes) look(i, kLanes);
      if (i < shape_.volumes()) look(i, shape_.volumes() - i);
    });
    double largest = 0.0;
    for (int lane = 0; lane < kLanes; ++lane)
      largest =
          greater(largest, is_no_number[lane] != 0 ? std::numeric_limits<double>::infinity() : fastest[lane]);
    return largest;
  }

  /// Calls visit(offset of a row's first volume, its number within the transverse volumes of `axis`) for the
  /// rows of a patch; those that lie along `axis` from each other, of which only the first, when it is not
  /// axis 0.
  template <class Visit>
  void for_each_row(int axis, Visit&& visit) const {
    const int n = shape_.volumes();
    if constexpr (D == 2) {
      const int rows = axis == 0 ? n : 1;
      for (int j = 0; j < rows; ++j) visit(shape_.at({0, j}), j);
    } else {
      const int rows = axis == 1 ? 1 : n, layers = axis == 2 ? 1 : n;
      for (int k = 0; k < layers; ++k) {
        for (int j = 0; j < rows; ++j)
          visit(shape_.at({0, j, k}), axis == 0 ? j + n * k : (axis == 1 ? n * k : n * j));
      }
    }
  }

  // Axes are constants, so that a state's unknowns are registers and loops over volumes are vectorised.
  template <int kAxis>
  void along_axis(const double* q, double* residual, const GivenFluxes<D>& given) {
    for_each_row(kAxis, [&](std::ptrdiff_t row, int transverse) {
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
      const Lanes speed = equation_.flux(unknowns(values + i), kAxis, f);
      for (int v = 0; v < kUnknowns; ++v) store_lanes(line.data() + i + v * stride_, f[v]);
      store_lanes(line.data() + i + kUnknowns * stride_, speed);
    }
  }

  /// Fluxes between `count` volumes and those `step` above them, whose fluxes stand `shift` further in
  /// `high`.
  void between(const double* values, std::ptrdiff_t step, int count, const Line& low, const Line& high,
               int shift, Line& flux) const {
    const std::ptrdiff_t plane = shape_.plane(), stride = stride_;
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
    const int n = shape_.volumes();
    const std::ptrdiff_t plane = shape_.plane(), stride = stride_;
    evaluate<0>(q - 1, n + 2, here_);
    between(q - 1, 1, n + 1, here_, here_, 1, flux_low_);
    double* const flux = flux_low_.data();
    for (int v = 0; v < kUnknowns; ++v) {
      if (given[0] != nullptr) flux[v * stride] = given[0][v * shape_.face_volumes() + transverse];
      if (given[1] != nullptr) flux[n + v * stride] = given[1][v * shape_.face_volumes() + transverse];
    }
    for (int v = 0; v < kUnknowns; ++v) {
#pragma omp simd
      for (int i = 0; i < n; ++i) residual[i + v * plane] = flux[i + 1 + v * stride] - flux[i + v * stride];
    }
  }

  template <int kAxis>
  void across_rows(const double* q, double* residual, const GivenFluxes<D>& given, int transverse) {
    const int n = shape_.volumes();
    const std::ptrdiff_t plane = shape_.plane(), up = shape_.stride(kAxis), stride = stride_;
    evaluate<kAxis>(q - up, n, below_);
    for (int j = 0; j <= n; ++j) {
      const double* const row = q + j * up;
      evaluate<kAxis>(row, n, here_);
      const double* const from = j == 0 ? given[2 * kAxis] : (j == n ? given[2 * kAxis + 1] : nullptr);
      if (from == nullptr) {
        between(row - up, up, n, below_, here_, 0, flux_high_);
      } else {
        for (int v = 0; v < kUnknowns; ++v)
          std::copy_n(from + v * shape_.face_volumes() + transverse, n, flux_high_.data() + v * stride);
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
    for_each_row(0, [&](std::ptrdiff_t row, int) {
      for (int i = 0; i < shape_.volumes(); ++i) {
        State<E> here;
        for (int v = 0; v < kUnknowns; ++v) here[v] = q[row + i + v * shape_.plane()];
        const State<E> s = equation_.source(here);
        for (int v = 0; v < kUnknowns; ++v) residual[row + i + v * shape_.plane()] -= dx * s[v];
      }
    });
  }

  E equation_;
  PatchShape<D> shape_;
  std::ptrdiff_t stride_;
  Line below_, here_, flux_low_, flux_high_;
};

}  // namespace heddle::wave
