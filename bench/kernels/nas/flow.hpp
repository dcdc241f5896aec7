// The problem that BT, SP and LU solve (RNR-94-007, section 4): the compressible Navier-Stokes equations in a
// cube, with a forcing term that makes a known polynomial the steady solution, whose values stand on the
// cube's faces. They advance from an interpolation of the faces towards it, each by a factorisation of its
// own.
//
// An unknown is one of five: density, momentum in three directions, energy, all per volume.
#pragma once

#include <array>
#include <vector>

#include "as_kernel.hpp"

namespace nas {

using State = std::array<double, 5>;
using Block = std::array<State, 5>;

// Of the gas and of the grid's spacing along an axis (RNR-94-007, section 4.2; names as there).
inline constexpr double kC1 = 1.4, kC2 = 0.4, kC3C4 = 0.1, kC1C5 = 1.4 * 1.4;
inline constexpr double kCon43 = 4.0 / 3;
inline constexpr std::array<double, 3> kDissipation = {0.75, 0.75, 1.0};  // dx1 to dx5, dy1 …, dz1 …
inline constexpr double kFourth = 0.25;                                   // dssp: of the largest of those

/// A cube's grid: points in rows along x, rows in planes.
class Grid {
 public:
  explicit Grid(long points) : points_(points) {}

  /// Along each axis, faces included.
  long points() const { return points_; }
  /// Without the faces.
  long inner() const { return points_ - 2; }
  long all() const { return points_ * points_ * points_; }
  long at(long x, long y, long z) const { return (z * points_ + y) * points_ + x; }
  /// From a point to the next along the axis.
  long step(int axis) const { return axis == 0 ? 1 : axis == 1 ? points_ : points_ * points_; }

  double spacing() const { return 1 / static_cast<double>(points_ - 1); }
  /// What differences are multiplied by: second ones, central ones, and half a viscous one (tx1, tx2, tx3).
  double t1() const { return 1 / (spacing() * spacing()); }
  double t2() const { return 1 / (2 * spacing()); }
  double t3() const { return 1 / spacing(); }

 private:
  long points_;
};

/// The state of the flow at every point, and what keeps it from being steady.
class Flow {
 public:
  explicit Flow(long points);

  const Grid& grid() const { return grid_; }

  /// The initial values.
  void reset();

  /// Computes velocities and pressure of the planes in a piece of all.
  void derive(Piece planes);

  /// Computes the right-hand side, that is the time derivative, of the rows in a piece of the inner ones,
  /// times a factor. Requires: derive() of all planes.
  void differentiate(Piece rows, double factor);

  State state(long point) const {
    const auto p = static_cast<std::size_t>(point);
    return {u[0][p], u[1][p], u[2][p], u[3][p], u[4][p]};
  }
  State right_side(long point) const {
    const auto p = static_cast<std::size_t>(point);
    return {rhs[0][p], rhs[1][p], rhs[2][p], rhs[3][p], rhs[4][p]};
  }
  void set_right_side(long point, const State& state) {
    for (std::size_t m = 0; m < 5; ++m) rhs[m][static_cast<std::size_t>(point)] = state[m];
  }

  /// Root mean squares over the inner points, of each unknown: of the time derivative, and of the difference
  /// from the steady solution.
  State residual_norm();
  State error_norm() const;

  // Of every point. Public: the solvers work on them line by line.
  std::array<std::vector<double>, 5> u, rhs;
  std::array<std::vector<double>, 3> velocity;
  std::vector<double> inverse_density;
  std::vector<double> kinetic;           // energy per volume (NAS: square)
  std::vector<double> kinetic_specific;  // energy per mass (qs)

 private:
  void differentiate_row(long y, long z, double factor);

  Grid grid_;
  std::array<std::vector<double>, 5> forcing_;
};

/// The steady solution at a place in the unit cube.
State exact(double x, double y, double z);

/// Adds to a block: convective times the convective Jacobian along the axis of a point's state, and viscous
/// times the sum of the viscous one and the dissipation.
template <int kAxis>
void add_jacobians(Block& block, const State& u, double convective, double viscous);

/// Solves block x = right_side and replaces both the right side and, if there is one, the other block by what
/// the block's inverse makes of them. Gauss-Jordan elimination without pivots: the blocks are diagonally
/// dominant.
void solve_block(Block& block, State& right_side, Block* other = nullptr);

}  // namespace nas

#include "flow_jacobians.hpp"  // IWYU pragma: export
