// What kernels of every scheme share: rows of volumes, eight at a time, and the end of a step.
//
// Words: a *row* is volumes that lie along axis 0. The *residual* of a volume is what flows out of it, less
// what flows in and what its sources give: the sum over axes of F_high - F_low, minus dx times s.
//
// Invariant: a volume becomes q - dt/dx residual, so that equal fluxes change nothing. No contraction
// (-ffp-contract=off): a compiler's choice must not show.
#pragma once

#include <limits>
#include <vector>

#include "wave/flux/equation.hpp"
#include "wave/flux/patch_shape.hpp"

namespace heddle::wave {

template <Equation E, int D>
class PatchKernel {
 public:
  PatchKernel(const E& equation, const PatchShape<D>& shape)
      : equation_(equation), shape_(shape), stride_((shape.volumes() + 2 + kLanes - 1) / kLanes * kLanes) {}

  /// next: planes; it may be the residual's. Returns the largest |eigenvalue| of the state after dt, along
  /// any axis; infinity where one is no number, as of a gas whose pressure has become negative. Cost: one
  /// pass.
  double update(const double* q, const double* residual, double* next, double dt, double dx) const {
    const double c = dt / dx;
    return fastest_of_rows([&](std::ptrdiff_t at, int count) {
      const auto before = unknowns(q + at), r = unknowns(residual + at);
      std::array<Lanes, kUnknowns> after;
      for (int v = 0; v < kUnknowns; ++v) after[v] = before[v] - c * r[v];
      store(next + at, after, count);
      return after;
    });
  }

  /// Of all volumes of a patch, along any axis; infinity as for update().
  [[nodiscard]] double largest_eigenvalue(const double* q) const {
    return fastest_of_rows([&](std::ptrdiff_t at, int) { return unknowns(q + at); });
  }

 protected:
  static constexpr int kUnknowns = E::kUnknowns;
  // Values of a row, each stride() after the one before, and kLanes that may be written with the last.
  using Line = std::vector<double>;

  [[nodiscard]] const E& equation() const { return equation_; }
  [[nodiscard]] const PatchShape<D>& shape() const { return shape_; }
  [[nodiscard]] std::ptrdiff_t stride() const { return stride_; }
  [[nodiscard]] Line line(int values) const {
    return Line(static_cast<std::size_t>(stride_ * values + kLanes));
  }

  [[gnu::always_inline]] std::array<Lanes, kUnknowns> unknowns(const double* values) const {
    std::array<Lanes, kUnknowns> q;
    for (int v = 0; v < kUnknowns; ++v) q[v] = load_lanes(values + v * shape_.plane());
    return q;
  }

  /// The first `count` of them.
  [[gnu::always_inline]] void store(double* values, const std::array<Lanes, kUnknowns>& q, int count) const {
    for (int v = 0; v < kUnknowns; ++v) {
      if (count == kLanes) {
        store_lanes(values + v * shape_.plane(), q[v]);
      } else {
        for (int i = 0; i < count; ++i) values[i + v * shape_.plane()] = q[v][i];
      }
    }
  }

  /// Calls visit(first volume, how many count) for a row, kLanes at a time.
  template <class Visit>
  [[gnu::always_inline]] void for_each_lanes(Visit&& visit) const {
    int i = 0;
    for (; i + kLanes <= shape_.volumes(); i += kLanes) visit(i, kLanes);
    if (i < shape_.volumes()) visit(i, shape_.volumes() - i);
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

 private:
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
      for_each_lanes(look);
    });
    double largest = 0.0;
    for (int lane = 0; lane < kLanes; ++lane)
      largest =
          greater(largest, is_no_number[lane] != 0 ? std::numeric_limits<double>::infinity() : fastest[lane]);
    return largest;
  }

  E equation_;
  PatchShape<D> shape_;
  std::ptrdiff_t stride_;
};

}  // namespace heddle::wave
