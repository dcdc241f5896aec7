// CG, conjugate gradients (RNR-94-007, section 3.3): the smallest eigenvalue of a large sparse matrix by
// inverse iteration, each step of which solves an equation by 25 steps of conjugate gradients.
#pragma once

#include <vector>

#include "as_kernel.hpp"

namespace nas {

/// A symmetric matrix in compressed rows.
struct SparseMatrix {
  std::vector<long> first;  // of each row, and the end
  std::vector<int> columns;
  std::vector<double> values;
};

class Cg {
 public:
  static constexpr double kTolerance = 1e-10;
  static constexpr bool kIterationsAreAlike = false;
  /// The size: rows of the matrix.
  static constexpr Problem problem(char problem_class) {
    switch (problem_class) {
      case 'S':
        return {"cg.S", "conjugate gradients, 1,400 rows", 1400, 15};
      case 'W':
        return {"cg.W", "conjugate gradients, 7,000 rows", 7000, 15};
      default:
        return {"cg.A", "conjugate gradients, 14,000 rows", 14000, 15};
    }
  }
  static std::vector<double> published(char problem_class);

  explicit Cg(char problem_class);

  void reset();

  /// A step of inverse iteration.
  template <class Phases>
  void iterate() {
    const long rows = size();
    Phases::template loop<&Cg::begin>(this, rows);
    Phases::template once<&Cg::set_square>(this);
    for (int step = 0; step < kSteps; ++step) {
      Phases::template loop<&Cg::multiply_direction>(this, rows);
      Phases::template once<&Cg::set_alpha>(this);
      Phases::template loop<&Cg::advance>(this, rows);
      Phases::template once<&Cg::set_beta>(this);
      Phases::template loop<&Cg::turn>(this, rows);
    }
    Phases::template loop<&Cg::multiply_solution>(this, rows);
    Phases::template once<&Cg::set_eigenvalue>(this);
    Phases::template loop<&Cg::normalise>(this, rows);
  }

  /// The eigenvalue's estimate, which NAS calls zeta.
  std::vector<double> result() const { return {eigenvalue_}; }
  void spoil() { eigenvalue_ += 1e-6; }

 private:
  static constexpr int kSteps = 25;

  // A piece's share of sums. A cache line of its own, so that neighbours do not disturb each other.
  struct alignas(64) Partial {
    double first = 0, second = 0;
  };

  long size() const { return static_cast<long>(x_.size()); }
  double row_times(std::size_t row, const std::vector<double>& v) const;
  Partial sum() const;

  void begin(Piece piece);
  void set_square();
  void multiply_direction(Piece piece);
  void set_alpha();
  void advance(Piece piece);
  void set_beta();
  void turn(Piece piece);
  void multiply_solution(Piece piece);
  void set_eigenvalue();
  void normalise(Piece piece);

  double shift_;
  SparseMatrix matrix_;
  std::vector<double> x_, solution_, residual_, direction_, product_;
  std::vector<Partial> partials_;
  double square_ = 0, alpha_ = 0, beta_ = 0;  // square_: of the residual
  double scale_ = 0, eigenvalue_ = 0;
};

}  // namespace nas
