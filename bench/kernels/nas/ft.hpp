// FT, a spectral method (RNR-94-007, section 3.4): the heat equation in a periodic box. The initial values
// are transformed once; each iteration lets the frequencies decay and transforms them back.
#pragma once

#include <array>
#include <vector>

#include "as_kernel.hpp"

namespace nas {

struct Complex {
  double real = 0, imaginary = 0;
};

class Ft {
 public:
  static constexpr double kTolerance = 1e-12;
  static constexpr bool kIterationsAreAlike = false;
  /// The size: points.
  static constexpr Problem problem(char problem_class) {
    switch (problem_class) {
      case 'S':
        return {"ft.S", "Fourier transforms of 64 x 64 x 64 points", 64 * 64 * 64, 6};
      case 'W':
        return {"ft.W", "Fourier transforms of 128 x 128 x 32 points", 128 * 128 * 32, 6};
      default:
        return {"ft.A", "Fourier transforms of 256 x 256 x 128 points", 256 * 256 * 128, 6};
    }
  }
  static std::vector<double> published(char problem_class);

  explicit Ft(char problem_class);

  void reset();

  template <class Phases>
  void iterate() {
    Phases::template loop<&Ft::decay_and_transform_z>(this, points_[1] * points_[0] / kLines);
    Phases::template loop<&Ft::transform_y>(this, points_[2] * points_[0] / kLines);
    Phases::template loop<&Ft::transform_x>(this, points_[2] * points_[1] / kLines);
    Phases::template once<&Ft::add_up>(this);
  }

  /// The sums of 1,024 values after each iteration: real part, imaginary part.
  std::vector<double> result() const { return sums_; }
  void spoil() { sums_.back() += 1e-6; }

 private:
  static constexpr long kLines = 8;  // that are transformed at once

  // As many lines through the grid, side by side.
  struct Lines {
    long first, step, apart;  // the first line's first point; from point to point; from line to line
  };

  Lines lines_along(int axis, long bundle) const;
  void transform(std::vector<Complex>& grid, int axis, Piece bundles);
  void decay_and_transform_z(Piece bundles);
  void transform_y(Piece bundles);
  void transform_x(Piece bundles);
  void add_up();

  std::array<long, 3> points_;  // along x, whose neighbours are neighbours in memory, y and z
  std::vector<Complex> frequencies_, values_;
  std::array<std::vector<Complex>, 3> roots_;  // of unity, of each axis: exp(-2 pi i k / points)
  std::array<std::vector<double>, 3> decays_;  // in an iteration, of each axis's frequencies
  std::vector<double> sums_;
};

}  // namespace nas
