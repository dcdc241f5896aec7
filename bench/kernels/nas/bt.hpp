// BT (RNR-94-007, section 4.7.1): the flow of flow.hpp, advanced by an approximate factorisation into three
// directions. Along each line of points that gives a system of blocks of 5 x 5, three a row.
#pragma once

#include <vector>

#include "flow.hpp"

namespace nas {

class Bt {
 public:
  static constexpr double kTolerance = 1e-8;
  static constexpr bool kIterationsAreAlike = false;
  /// The size: points along an axis.
  static constexpr Problem problem(char problem_class) {
    switch (problem_class) {
      case 'S':
        return {"bt.S", "flow in a cube of 12 points a side, block-tridiagonal", 12, 60};
      case 'W':
        return {"bt.W", "flow in a cube of 24 points a side, block-tridiagonal", 24, 200};
      default:
        return {"bt.A", "flow in a cube of 64 points a side, block-tridiagonal", 64, 200};
    }
  }
  static std::vector<double> published(char problem_class);

  explicit Bt(char problem_class);

  void reset() { flow_.reset(); }

  template <class Phases>
  void iterate() {
    const long lines = flow_.grid().inner() * flow_.grid().inner();
    Phases::template loop<&Bt::derive>(this, flow_.grid().all());
    Phases::template loop<&Bt::differentiate>(this, lines);
    Phases::template loop<&Bt::solve_x>(this, lines);
    Phases::template loop<&Bt::solve_y>(this, lines);
    Phases::template loop<&Bt::solve_z_and_add>(this, lines);
  }

  /// The norms of the residual and of the error, unknown by unknown.
  std::vector<double> result();
  void spoil() { flow_.u[0][static_cast<std::size_t>(flow_.grid().at(1, 1, 1))] += 1; }

 private:
  void derive(Piece points) { flow_.derive(points); }
  void differentiate(Piece rows) { flow_.differentiate(rows, time_step_); }
  void solve_x(Piece lines);
  void solve_y(Piece lines);
  void solve_z_and_add(Piece lines);
  template <int kAxis>
  void solve_line(long first);

  Flow flow_;
  double time_step_;
};

}  // namespace nas
