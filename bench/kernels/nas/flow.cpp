#include "flow.hpp"

#include <cmath>

namespace nas {
namespace {

// RNR-94-007, table 4.1: the polynomial's coefficients, of each unknown: the constant, then those of x, y and
// z in turn, power after power.
constexpr std::array<std::array<double, 13>, 5> kPolynomial = {{
    {2.0, 0.0, 0.0, 4.0, 5.0, 3.0, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2.0, 2.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5.0, 4.0, 3.0, 2.0, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
}};

// Between the polynomial's values on opposite faces, blended over the three directions.
State interpolated(double x, double y, double z) {
  const State x0 = exact(0, y, z), x1 = exact(1, y, z), y0 = exact(x, 0, z), y1 = exact(x, 1, z),
              z0 = exact(x, y, 0), z1 = exact(x, y, 1);
  State result;
  for (std::size_t m = 0; m < 5; ++m) {
    const double along_x = (1 - x) * x0[m] + x * x1[m];
    const double along_y = (1 - y) * y0[m] + y * y1[m];
    const double along_z = (1 - z) * z0[m] + z * z1[m];
    result[m] = along_x + along_y + along_z - along_x * along_y - along_y * along_z - along_z * along_x +
                along_x * along_y * along_z;
  }
  return result;
}

// Fourth differences times the dissipation, next to the faces with what there is of them.
// Subtracted from target[from] to target[to - 1]; all of them are so far from the near face and from the far
// one.
void dissipate(double* target, const double* u, long from, long to, long step, long near, long far) {
  constexpr double kFactor = kFourth;  // dssp = 0.25 max(dx1, dy1, dz1)
  for (long c = from; c < to; ++c) {
    double sum = near == 1 || far == 1 ? 5 * u[c] : 6 * u[c];
    if (near > 1) sum -= 4 * u[c - step];
    if (near > 2) sum += u[c - 2 * step];
    if (far > 1) sum -= 4 * u[c + step];
    if (far > 2) sum += u[c + 2 * step];
    target[c] -= kFactor * sum;
  }
}

double second_difference(const double* v, long c, long step) {
  return v[c + step] - 2 * v[c] + v[c - step];
}

}  // namespace

State exact(double x, double y, double z) {
  State result;
  for (std::size_t m = 0; m < 5; ++m) {
    const std::array<double, 13>& c = kPolynomial[m];
    result[m] = c[0] + x * (c[1] + x * (c[4] + x * (c[7] + x * c[10]))) +
                y * (c[2] + y * (c[5] + y * (c[8] + y * c[11]))) +
                z * (c[3] + z * (c[6] + z * (c[9] + z * c[12])));
  }
  return result;
}

Flow::Flow(long points) : grid_(points) {
  const auto all = static_cast<std::size_t>(grid_.all());
  for (std::size_t m = 0; m < 5; ++m) {
    u[m].resize(all);
    rhs[m].resize(all);
    forcing_[m].resize(all);
  }
  for (std::vector<double>& v : velocity) v.resize(all);
  inverse_density.resize(all);
  kinetic.resize(all);
  kinetic_specific.resize(all);

  // What makes the steady solution steady.
  for (long z = 0; z < points; ++z) {
    for (long y = 0; y < points; ++y) {
      for (long x = 0; x < points; ++x) {
        const double h = grid_.spacing();
        const State state =
            exact(static_cast<double>(x) * h, static_cast<double>(y) * h, static_cast<double>(z) * h);
        for (std::size_t m = 0; m < 5; ++m) u[m][static_cast<std::size_t>(grid_.at(x, y, z))] = state[m];
      }
    }
  }
  derive({0, grid_.all(), 0});
  differentiate({0, grid_.inner() * grid_.inner(), 0}, 1);
  for (std::size_t m = 0; m < 5; ++m) {
    for (std::size_t p = 0; p < all; ++p) forcing_[m][p] = -rhs[m][p];
  }
}

void Flow::reset() {
  const long last = grid_.points() - 1;
  for (long z = 0; z <= last; ++z) {
    for (long y = 0; y <= last; ++y) {
      for (long x = 0; x <= last; ++x) {
        const double h = grid_.spacing(), place_x = static_cast<double>(x) * h,
                     place_y = static_cast<double>(y) * h, place_z = static_cast<double>(z) * h;
        const bool is_inner = x > 0 && x < last && y > 0 && y < last && z > 0 && z < last;
        const State state =
            is_inner ? interpolated(place_x, place_y, place_z) : exact(place_x, place_y, place_z);
        for (std::size_t m = 0; m < 5; ++m) {
          u[m][static_cast<std::size_t>(grid_.at(x, y, z))] = state[m];
          rhs[m][static_cast<std::size_t>(grid_.at(x, y, z))] = 0;
        }
      }
    }
  }
}

void Flow::derive(Piece points) {
  for (auto p = static_cast<std::size_t>(points.first); p < static_cast<std::size_t>(points.last); ++p) {
    const double inverse = 1 / u[0][p];
    inverse_density[p] = inverse;
    for (std::size_t d = 0; d < 3; ++d) velocity[d][p] = u[d + 1][p] * inverse;
    kinetic[p] = 0.5 * (u[1][p] * u[1][p] + u[2][p] * u[2][p] + u[3][p] * u[3][p]) * inverse;
    kinetic_specific[p] = kinetic[p] * inverse;
  }
}

void Flow::differentiate(Piece rows, double factor) {
  for (long row = rows.first; row < rows.last; ++row) {
    differentiate_row(row % grid_.inner() + 1, row / grid_.inner() + 1, factor);
  }
}

void Flow::differentiate_row(long y, long z, double factor) {
  const double t1 = grid_.t1(), t2 = grid_.t2(), t3 = grid_.t3();
  // xxcon2 to xxcon5 of NAS.
  const double viscous = kC3C4 * t3 * t3, of_kinetic = viscous * (1 - kC1C5), of_square = viscous / 6,
               of_energy = viscous * kC1C5;
  const long first = grid_.at(1, y, z), last = first + grid_.inner(), points = grid_.points();
  const double* const u4 = u[4].data();
  for (std::size_t m = 0; m < 5; ++m) {
    for (long c = first; c < last; ++c)
      rhs[m][static_cast<std::size_t>(c)] = forcing_[m][static_cast<std::size_t>(c)];
  }
  for (int axis = 0; axis < 3; ++axis) {
    const long step = grid_.step(axis);
    const auto along = static_cast<std::size_t>(axis) + 1;
    const double dissipation = kDissipation[along - 1] * t1;
    const double* const v = velocity[along - 1].data();
    const double* const k = kinetic.data();
    for (std::size_t m = 0; m < 4; ++m) {
      double* const r = rhs[m].data();
      const double* const q = u[m].data();
      if (m == 0) {
        const double* const momentum = u[along].data();
        for (long c = first; c < last; ++c) {
          r[c] +=
              dissipation * second_difference(q, c, step) - t2 * (momentum[c + step] - momentum[c - step]);
        }
      } else {
        const double* const w = velocity[m - 1].data();
        const double friction = m == along ? viscous * kCon43 : viscous;
        for (long c = first; c < last; ++c) {
          r[c] += dissipation * second_difference(q, c, step) + friction * second_difference(w, c, step) -
                  t2 * (q[c + step] * v[c + step] - q[c - step] * v[c - step]);
        }
      }
    }
    double* const along_r = rhs[along].data();
    for (long c = first; c < last; ++c) {
      along_r[c] -= t2 * kC2 * (u4[c + step] - k[c + step] - u4[c - step] + k[c - step]);
    }
    double* const r4 = rhs[4].data();
    const double* const specific = kinetic_specific.data();
    const double* const inverse = inverse_density.data();
    for (long c = first; c < last; ++c) {
      const long up = c + step, down = c - step;
      r4[c] += dissipation * second_difference(u4, c, step) +
               of_kinetic * second_difference(specific, c, step) +
               of_square * (v[up] * v[up] - 2 * v[c] * v[c] + v[down] * v[down]) +
               of_energy * (u4[up] * inverse[up] - 2 * u4[c] * inverse[c] + u4[down] * inverse[down]) -
               t2 * ((kC1 * u4[up] - kC2 * k[up]) * v[up] - (kC1 * u4[down] - kC2 * k[down]) * v[down]);
    }
    for (std::size_t m = 0; m < 5; ++m) {
      double* const r = rhs[m].data();
      const double* const q = u[m].data();
      if (axis > 0) {
        const long near = axis == 1 ? y : z;
        dissipate(r, q, first, last, step, near, points - 1 - near);
        continue;
      }
      dissipate(r, q, first, first + 1, step, 1, points - 2);
      dissipate(r, q, first + 1, first + 2, step, 2, points - 3);
      dissipate(r, q, first + 2, last - 2, step, 3, 3);
      dissipate(r, q, last - 2, last - 1, step, points - 3, 2);
      dissipate(r, q, last - 1, last, step, points - 2, 1);
    }
  }
  for (std::vector<double>& r : rhs) {
    for (long c = first; c < last; ++c) r[static_cast<std::size_t>(c)] *= factor;
  }
}

State Flow::residual_norm() {
  derive({0, grid_.all(), 0});
  differentiate({0, grid_.inner() * grid_.inner(), 0}, 1);
  State norm{};
  for (long z = 1; z <= grid_.inner(); ++z) {
    for (long y = 1; y <= grid_.inner(); ++y) {
      for (long x = 1; x <= grid_.inner(); ++x) {
        const State r = right_side(grid_.at(x, y, z));
        for (std::size_t m = 0; m < 5; ++m) norm[m] += r[m] * r[m];
      }
    }
  }
  const auto inner = static_cast<double>(grid_.inner());
  for (double& value : norm) value = std::sqrt(value / (inner * inner * inner));
  return norm;
}

State Flow::error_norm() const {
  State norm{};
  for (long z = 1; z <= grid_.inner(); ++z) {
    for (long y = 1; y <= grid_.inner(); ++y) {
      for (long x = 1; x <= grid_.inner(); ++x) {
        const double h = grid_.spacing();
        const State is = state(grid_.at(x, y, z));
        const State should =
            exact(static_cast<double>(x) * h, static_cast<double>(y) * h, static_cast<double>(z) * h);
        for (std::size_t m = 0; m < 5; ++m) norm[m] += (is[m] - should[m]) * (is[m] - should[m]);
      }
    }
  }
  const auto inner = static_cast<double>(grid_.inner());
  for (double& value : norm) value = std::sqrt(value / (inner * inner * inner));
  return norm;
}

}  // namespace nas
