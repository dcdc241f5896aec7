// SP (RNR-94-007, section 4.7.2): the flow of flow.hpp, advanced by a factorisation that makes the systems
// along each line diagonal in the unknowns: five scalar ones, with five numbers a row.
#pragma once

#include <vector>

#include "flow.hpp"

namespace nas {

class Sp {
 public:
  static constexpr double kTolerance = 1e-8;
  static constexpr bool kIterationsAreAlike = false;
  /// The size: points along an axis.
  static constexpr Problem problem(char problem_class) {
    switch (problem_class) {
      case 'S':
        return {"sp.S", "flow in a cube of 12 points a side, scalar pentadiagonal", 12, 100};
      case 'W':
        return {"sp.W", "flow in a cube of 36 points a side, scalar pentadiagonal", 36, 400};
      default:
        return {"sp.A", "flow in a cube of 64 points a side, scalar pentadiagonal", 64, 400};
    }
  }
  static std::vector<double> published(char problem_class);

  explicit Sp(char problem_class);

  void reset() { flow_.reset(); }

  template <class Phases>
  void iterate() {
    const long lines = flow_.grid().inner() * flow_.grid().inner();
    Phases::template loop<&Sp::derive>(this, flow_.grid().all());
    Phases::template loop<&Sp::differentiate>(this, lines);
    Phases::template loop<&Sp::solve_x>(this, lines);
    Phases::template loop<&Sp::solve_y>(this, lines);
    Phases::template loop<&Sp::solve_z_and_add>(this, lines);
  }

  /// The norms of the residual and of the error, unknown by unknown.
  std::vector<double> result();
  void spoil() { flow_.u[0][static_cast<std::size_t>(flow_.grid().at(1, 1, 1))] += 1; }

 private:
  void derive(Piece points);
  void differentiate(Piece rows);
  void solve_x(Piece lines);
  void solve_y(Piece lines);
  void solve_z_and_add(Piece lines);
  template <int kAxis>
  void solve_line(long first);

  // The changes of unknowns between the directions' eigenvectors, at a point's right side (NAS: txinvr,
  // ninvr, pinvr, tzetar).
  void to_x(long point);
  void x_to_y(long point);
  void y_to_z(long point);
  void from_z(long point);

  Flow flow_;
  double time_step_;
  std::vector<double> sound_;  // its speed
};

}  // namespace nas
