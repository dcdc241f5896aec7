#include "sp.hpp"

#include <array>
#include <cmath>

#include "lines.hpp"

namespace nas {
namespace {

constexpr long kMostPoints = 64;
constexpr double kRoot = 0.70710678118654752440;  // sqrt(1/2), bt of NAS

// A row of a system: the numbers of the unknowns from two before to two after.
using Row = std::array<double, 5>;

// Fourth differences, next to the faces with what there is of them, times so much.
void add_dissipation(Row& row, long near, long far, double factor) {
  if (near > 2) row[0] += factor;
  if (near > 1) row[1] -= 4 * factor;
  row[2] += near == 1 || far == 1 ? 5 * factor : 6 * factor;
  if (far > 1) row[3] -= 4 * factor;
  if (far > 2) row[4] += factor;
}

// Solves for several right sides. Gaussian elimination without pivots, down the line and back. side(k, i) is
// the right side k at point i, and becomes the solution.
template <int kSides, class Side>
void solve(Row* rows, long points, Side side) {
  for (long i = 0; i < points; ++i) {
    const double inverse = 1 / rows[i][2];
    rows[i][3] *= inverse;
    rows[i][4] *= inverse;
    for (int k = 0; k < kSides; ++k) side(k, i) *= inverse;
    if (i + 1 < points) {
      Row& next = rows[i + 1];
      next[2] -= next[1] * rows[i][3];
      next[3] -= next[1] * rows[i][4];
      for (int k = 0; k < kSides; ++k) side(k, i + 1) -= next[1] * side(k, i);
    }
    if (i + 2 < points) {
      Row& after = rows[i + 2];
      after[1] -= after[0] * rows[i][3];
      after[2] -= after[0] * rows[i][4];
      for (int k = 0; k < kSides; ++k) side(k, i + 2) -= after[0] * side(k, i);
    }
  }
  for (long i = points - 2; i >= 0; --i) {
    for (int k = 0; k < kSides; ++k) {
      side(k, i) -= rows[i][3] * side(k, i + 1);
      if (i + 2 < points) side(k, i) -= rows[i][4] * side(k, i + 2);
    }
  }
}

}  // namespace

Sp::Sp(char problem_class)
    : flow_(problem(problem_class).size),
      time_step_(problem_class == 'S' ? 0.015 : 0.0015),
      sound_(static_cast<std::size_t>(flow_.grid().all())) {}

std::vector<double> Sp::published(char problem_class) {
  switch (problem_class) {
    case 'S':
      return {2.7470315451339479e-02, 1.0360746705285417e-02, 1.6235745065095532e-02, 1.5840557224455615e-02,
              3.4849040609362460e-02, 2.7289258557377227e-05, 1.0364446640837285e-05, 1.6154798287166471e-05,
              1.5750704994480102e-05, 3.4177666183390531e-05};
    case 'W':
      return {0.1893253733584e-02, 0.1717075447775e-03, 0.2778153350936e-03, 0.2887475409984e-03,
              0.3143611161242e-02, 0.7542088599534e-04, 0.6512852253086e-05, 0.1049092285688e-04,
              0.1128838671535e-04, 0.1212845639773e-03};
    default:
      return {2.4799822399300195e+00, 1.1276337964368832e+00, 1.5028977888770491e+00, 1.4217816211695179e+00,
              2.1292113035138280e+00, 1.0900140297820550e-04, 3.7343951769282091e-05, 5.0092785406541633e-05,
              4.7671093939528255e-05, 1.3621613399213001e-04};
  }
}

std::vector<double> Sp::result() {
  return norms_of(flow_);
}

void Sp::derive(Piece points) {
  flow_.derive(points);
  for (auto p = static_cast<std::size_t>(points.first); p < static_cast<std::size_t>(points.last); ++p) {
    sound_[p] = std::sqrt(kC1 * kC2 * flow_.inverse_density[p] * (flow_.u[4][p] - flow_.kinetic[p]));
  }
}

void Sp::differentiate(Piece rows) {
  flow_.differentiate(rows, time_step_);
  for (long row = rows.first; row < rows.last; ++row) {
    const long first = start_of_line<0>(flow_.grid(), row);
    for (long i = 1; i <= flow_.grid().inner(); ++i) to_x(first + i);
  }
}

void Sp::to_x(long point) {
  const auto p = static_cast<std::size_t>(point);
  const State r = flow_.right_side(point);
  const double u = flow_.velocity[0][p], v = flow_.velocity[1][p], w = flow_.velocity[2][p];
  const double inverse = flow_.inverse_density[p], sound = sound_[p];
  const double pressure =
      kC2 / (sound * sound) * (flow_.kinetic_specific[p] * r[0] - u * r[1] - v * r[2] - w * r[3] + r[4]);
  const double left = kRoot * inverse * (u * r[0] - r[1]), right = kRoot * inverse * sound * pressure;
  flow_.set_right_side(point, {r[0] - pressure, -inverse * (w * r[0] - r[3]), inverse * (v * r[0] - r[2]),
                               right - left, right + left});
}

void Sp::x_to_y(long point) {
  const State r = flow_.right_side(point);
  const double third = kRoot * r[2], half = 0.5 * (r[3] + r[4]);
  flow_.set_right_side(point, {-r[1], r[0], kRoot * (r[3] - r[4]), half - third, half + third});
}

void Sp::y_to_z(long point) {
  const State r = flow_.right_side(point);
  const double first = kRoot * r[0], half = 0.5 * (r[3] + r[4]);
  flow_.set_right_side(point, {kRoot * (r[3] - r[4]), -r[2], r[1], half - first, half + first});
}

void Sp::from_z(long point) {
  const auto p = static_cast<std::size_t>(point);
  const State r = flow_.right_side(point);
  const double u = flow_.velocity[0][p], v = flow_.velocity[1][p], w = flow_.velocity[2][p];
  const double density = flow_.u[0][p], sound = sound_[p], scaled = kRoot * density;
  const double sum = scaled / sound * (r[3] + r[4]), mass = r[2] + sum, momentum = scaled * (r[3] - r[4]);
  flow_.set_right_side(
      point, {mass, u * mass - density * r[1], v * mass + density * r[0], w * mass + momentum,
              density * (v * r[0] - u * r[1]) + flow_.kinetic_specific[p] * mass + sound * sound / kC2 * sum +
                  w * momentum});
}

// The eigenvalues are the velocity along the line, three times, and that plus and less the speed of sound.
// The faces' right side is zero: their rows are the identity, and are left out.
template <int kAxis>
void Sp::solve_line(long first) {
  const Grid& grid = flow_.grid();
  const long step = grid.step(kAxis), inner = grid.inner();
  const double central = time_step_ * grid.t2(), second = time_step_ * grid.t1(),
               fourth = time_step_ * kFourth;
  Row same[kMostPoints], plus[kMostPoints], less[kMostPoints];
  const double* const velocity = flow_.velocity[kAxis].data();
  // The largest of the viscous terms: that of the energy, as it happens (NAS: rhon, rhoq, rhos).
  const auto viscous = [this](long point) {
    return kDissipation[kAxis] + kC1C5 * kC3C4 * flow_.inverse_density[static_cast<std::size_t>(point)];
  };
  for (long i = 1; i <= inner; ++i) {
    const long point = first + i * step, down = point - step, up = point + step;
    Row& row = same[i - 1];
    row = {0, -central * velocity[down] - second * viscous(down), 1 + 2 * second * viscous(point),
           central * velocity[up] - second * viscous(up), 0};
    add_dissipation(row, i, inner + 1 - i, fourth);
    const double sound_down = central * sound_[static_cast<std::size_t>(down)];
    const double sound_up = central * sound_[static_cast<std::size_t>(up)];
    plus[i - 1] = {row[0], row[1] - sound_down, row[2], row[3] + sound_up, row[4]};
    less[i - 1] = {row[0], row[1] + sound_down, row[2], row[3] - sound_up, row[4]};
  }
  const auto side = [&](std::size_t unknown, long i) -> double& {
    return flow_.rhs[unknown][static_cast<std::size_t>(first + (i + 1) * step)];
  };
  solve<3>(same, inner, [&](int k, long i) -> double& { return side(static_cast<std::size_t>(k), i); });
  solve<1>(plus, inner, [&](int, long i) -> double& { return side(3, i); });
  solve<1>(less, inner, [&](int, long i) -> double& { return side(4, i); });
}

void Sp::solve_x(Piece lines) {
  for (long line = lines.first; line < lines.last; ++line) {
    const long first = start_of_line<0>(flow_.grid(), line);
    solve_line<0>(first);
    for (long i = 1; i <= flow_.grid().inner(); ++i) x_to_y(first + i);
  }
}

void Sp::solve_y(Piece lines) {
  const long step = flow_.grid().step(1);
  for (long line = lines.first; line < lines.last; ++line) {
    const long first = start_of_line<1>(flow_.grid(), line);
    solve_line<1>(first);
    for (long i = 1; i <= flow_.grid().inner(); ++i) y_to_z(first + i * step);
  }
}

void Sp::solve_z_and_add(Piece lines) {
  const long step = flow_.grid().step(2);
  for (long line = lines.first; line < lines.last; ++line) {
    const long first = start_of_line<2>(flow_.grid(), line);
    solve_line<2>(first);
    for (long i = 1; i <= flow_.grid().inner(); ++i) from_z(first + i * step);
    add_line<2>(flow_, first);
  }
}

}  // namespace nas
