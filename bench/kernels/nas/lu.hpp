// LU (RNR-94-007, section 4.7.3): the flow of flow.hpp, advanced by symmetric successive over-relaxation: a
// sweep over the points in the order of x, y and z, each with its neighbours before, and one in the reverse
// order.
#pragma once

#include <vector>

#include "flow.hpp"

namespace nas {

class Lu {
 public:
  static constexpr double kTolerance = 1e-8;
  static constexpr bool kIterationsAreAlike = false;
  /// The size: points along an axis.
  static constexpr Problem problem(char problem_class) {
    switch (problem_class) {
      case 'S':
        return {"lu.S", "flow in a cube of 12 points a side, relaxation", 12, 50};
      case 'W':
        return {"lu.W", "flow in a cube of 33 points a side, relaxation", 33, 300};
      default:
        return {"lu.A", "flow in a cube of 64 points a side, relaxation", 64, 250};
    }
  }
  static std::vector<double> published(char problem_class);

  explicit Lu(char problem_class);

  void reset() { flow_.reset(); }

  /// The sweeps are waves over the planes and strips of their rows: as many strips as a loop has pieces, or
  /// one for each row where there are fewer.
  template <class Phases>
  void iterate() {
    const Grid& grid = flow_.grid();
    Phases::template loop<&Lu::derive>(this, grid.all());
    Phases::template loop<&Lu::differentiate>(this, grid.inner() * grid.inner());
    Phases::template wave<&Lu::sweep_up>(this, grid.inner(), strips_, cells_.data());
    Phases::template wave<&Lu::sweep_down>(this, grid.inner(), strips_, cells_.data());
    Phases::template loop<&Lu::add>(this, grid.inner() * grid.inner());
  }

  /// The norms of the residual and of the error, unknown by unknown, and the surface integral.
  std::vector<double> result();
  void spoil() { flow_.u[0][static_cast<std::size_t>(flow_.grid().at(1, 1, 1))] += 1; }

 private:
  void derive(Piece points) { flow_.derive(points); }
  void differentiate(Piece rows) { flow_.differentiate(rows, time_step_); }
  void sweep_up(long plane, long strip);
  void sweep_down(long plane, long strip);
  void relax_lower(long point);
  void relax_upper(long point);
  Block diagonal(const State& u) const;
  void add(Piece rows);
  double surface_integral() const;

  Flow flow_;
  double time_step_;
  long strips_;
  std::vector<char> cells_;  // addresses for dependences
};

}  // namespace nas
