#include "amr/kernel/stencil_mixture.hpp"

#include <array>
#include <cmath>

#include "amr/kernel/divide.hpp"

namespace heddle::amr {
namespace {

/// One variable's update: the pieces that all kinds share.
class Update {
 public:
  Update(const PaddedBlock& block, int v, const MixtureConstants& constants, double* scratch)
      : block_(block),
        v_(v),
        q_(block.shape().num_vars / 4),
        a1_(constants.a1),
        a0_(constants.a0),
        scratch_(scratch) {}

  void pointwise() const {
    const int v = v_, q = q_;
    const double a1 = a1_;
    for_rows([&](int i, int j) {
      double* u = block_.row(v, i, j);
      const double* u0 = block_.row(0, i, j);
      const double* u1 = block_.row(1, i, j);
      for (int k = 1; k <= block_.shape().nz(); ++k) {
        const auto other = [&](int w) { return block_.row(w, i, j)[k]; };
        if (v == 1) {
          for (int w = q; w < 2 * q; ++w) u[k] = u[k] + other(w) * u0[k];
        } else if (v < q) {
          u[k] += u[k] * (u0[k] + u1[k] - a1 * u[k]);
        } else if (v < 2 * q) {
          u[k] = u[k] * (u0[k] + u[k] + a1 * other(v + q) + (1 - a1) * other(v + 2 * q)) / u1[k];
        } else if (v < 3 * q) {
          u[k] += other(v - q) * (a1 * u0[k] + a0_[v - 2 * q] * u[k] + (1 - a1) * other(v + q)) / u1[k];
        } else {
          u[k] += other(v - 2 * q) *
                  (a1 * u0[k] + a0_[v - 3 * q] * u[k] + (1 - a0_[v - 3 * q]) * other(v - q) +
                   (1 - a1) * other(v - 2 * q)) /
                  (u1[k] * u1[k]);
        }
      }
    });
  }

  /// In place, ascending: the neighbour below may already be new.
  void line(int axis) const {
    const int v = v_, q = q_;
    const double a1 = a1_;
    const std::ptrdiff_t step = block_.stride(axis);
    for_rows([&](int i, int j) {
      double* u = block_.row(v, i, j);
      const double* u0 = block_.row(0, i, j);
      const double* u1 = block_.row(1, i, j);
      if (v == 1) {
        for (int k = 1; k <= block_.shape().nz(); ++k) {
          for (int w = 2; w <= q + 1; ++w) u[k] += block_.row(w, i, j)[k] * u0[k];
          u[k] = u[k] / (a1 + u[k]);
        }
        return;
      }
      if (v < q) {
        for (int k = 1; k <= block_.shape().nz(); ++k)
          u[k] += u[k] * (u0[k] + u1[k] - a1 * u[k]) / (a0_[v] + u1[k]);
        return;
      }
      const int cls = v / q;  // 1 B, 2 C, 3 D
      const double* r = block_.row(cls == 1 ? v : (cls == 2 ? v - q : v - 2 * q), i, j);
      const double* w1 = cls == 1 ? u0 : block_.row(v - q, i, j);
      const double* w2 = cls == 1 ? u1 : block_.row(cls == 2 ? v + q : v - 2 * q, i, j);
      const double a0 = a0_[v - cls * q];
      for (int k = 1; k <= block_.shape().nz(); ++k) {
        const double minus = u[k - step];
        const double plus = u[k + step];
        const double t1 = std::abs(r[k] - r[k - step]);
        const double t2 = std::abs(r[k] - r[k + step]);
        const double d = t1 > t2 ? t1 - t2 : t2 - t1;
        const double weight = cls == 1 ? a1 + a0 + minus + u[k] + plus + w1[k] + w2[k]
                                       : a1 + a0 + w1[k] + w2[k] + minus + u[k] + plus;
        u[k] = (t1 * minus + d * (u[k] + u1[k]) + t2 * plus) / weight;
      }
    });
  }

  void weighted_7() const {
    const auto w = partners();
    const std::array<std::ptrdiff_t, 3> s{block_.stride(0), block_.stride(1), block_.stride(2)};
    jacobi([&](int i, int j, double* out) {
      const double* u = block_.row(v_, i, j);
      const double* x = block_.row(w[0], i, j);
      const double* y = block_.row(w[1], i, j);
      const double* z = block_.row(w[2], i, j);
      for (int k = 1; k <= block_.shape().nz(); ++k) {
        const double sum = u[k - s[0]] * x[k - s[0]] + u[k - s[1]] * y[k - s[1]] + u[k - 1] * z[k - 1] +
                           u[k] * u[k] + u[k + 1] * z[k + 1] + u[k + s[1]] * y[k + s[1]] +
                           u[k + s[0]] * x[k + s[0]];
        out[k] = sum / 7.0 * (a1_ + u[k]);
      }
    });
  }

  void mixed_27() const {
    const auto w = partners();
    const std::array<int, 4> by_distance{v_, w[0], w[1], w[2]};  // centre, faces, edges, corners
    jacobi([&](int i, int j, double* out) {
      for (int k = 1; k <= block_.shape().nz(); ++k) {
        double sum = 0.0;
        for (int di = -1; di <= 1; ++di) {
          for (int dj = -1; dj <= 1; ++dj) {
            for (int dk = -1; dk <= 1; ++dk) {
              sum += block_.row(by_distance[di * di + dj * dj + dk * dk], i + di, j + dj)[k + dk];
            }
          }
        }
        out[k] = sum / (a1_ + 27.0);
      }
    });
  }

  void average_7() const {
    const std::ptrdiff_t si = block_.stride(0), sj = block_.stride(1);
    jacobi([&](int i, int j, double* out) {
      const double* u = block_.row(v_, i, j);
      for (int k = 1; k <= block_.shape().nz(); ++k) {
        out[k] = divided_by<7>(u[k - si] + u[k - sj] + u[k - 1] + u[k] + u[k + 1] + u[k + sj] + u[k + si]);
      }
    });
  }

  [[nodiscard]] ClampCounts clamp() const {
    ClampCounts counts;
    const double a1 = a1_, a00 = a0_[0];
    for_rows([&](int i, int j) {
      double* u = block_.row(v_, i, j);
      for (int k = 1; k <= block_.shape().nz(); ++k) {
        u[k] = std::abs(u[k]);
        if (u[k] >= 1.0) {
          u[k] = u[k] / (a1 + a00 + u[k]);
          ++counts.above;
        } else if (u[k] < 0.1) {
          u[k] = u[k] * (10.0 - a1);
          ++counts.below;
        }
      }
    });
    return counts;
  }

 private:
  template <class Body>
  void for_rows(Body&& body) const {
    for (int i = 1; i <= block_.shape().nx(); ++i) {
      for (int j = 1; j <= block_.shape().ny(); ++j) body(i, j);
    }
  }

  /// Runs body(i, j, out) on all rows from old values, then stores what it wrote.
  template <class Body>
  void jacobi(Body&& body) const {
    const PaddedBlock result(block_.shape(), scratch_);
    for_rows([&](int i, int j) { body(i, j, result.row(0, i, j)); });
    for_rows([&](int i, int j) {
      const double* from = result.row(0, i, j);
      double* to = block_.row(v_, i, j);
      for (int k = 1; k <= block_.shape().nz(); ++k) to[k] = from[k];
    });
  }

  /// The other variables that kinds 4 (x, y, z) and 5 (faces, edges, corners) mix in.
  [[nodiscard]] std::array<int, 3> partners() const {
    const int v = v_, q = q_;
    switch (v / q) {
      case 0:
        return {v + q, v + 2 * q, v + 3 * q};
      case 1:
        return {v + q, v + 2 * q, v - q};
      case 2:
        return {v + q, v - 2 * q, v - q};
      default:
        return {v - 3 * q, v - 2 * q, v - q};
    }
  }

  const PaddedBlock& block_;
  int v_;
  int q_;
  double a1_;
  const std::vector<double>& a0_;
  double* scratch_;
};

}  // namespace

ClampCounts apply_mixture(const PaddedBlock& block, int v, long long global_stage,
                          const MixtureConstants& constants, double* scratch) {
  const Update update(block, v, constants, scratch);
  if (v == 0 || v >= 4 * (block.shape().num_vars / 4)) {
    update.average_7();
    return {};
  }
  switch (global_stage % 6) {
    case 0:
      update.pointwise();
      break;
    case 1:
      update.line(0);
      break;
    case 2:
      update.line(1);
      break;
    case 3:
      update.line(2);
      break;
    case 4:
      update.weighted_7();
      break;
    default:
      update.mixed_27();
      break;
  }
  return update.clamp();
}

}  // namespace heddle::amr
