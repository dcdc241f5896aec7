// EP, embarrassingly parallel (RNR-94-007, section 3.1): pairs of Gaussian deviates by the polar method,
// their sums and how many lie in each square ring.
#pragma once

#include <array>
#include <vector>

#include "as_kernel.hpp"

namespace nas {

class Ep {
 public:
  static constexpr double kTolerance = 1e-8;
  static constexpr bool kIterationsAreAlike = true;
  /// The size: pairs of random numbers. NAS draws them once; an iteration here does.
  static constexpr Problem problem(char problem_class) {
    switch (problem_class) {
      case 'S':
        return {"ep.S", "random numbers, 2^24 pairs", 1L << 24, 4};
      case 'W':
        return {"ep.W", "random numbers, 2^25 pairs", 1L << 25, 4};
      default:
        return {"ep.A", "random numbers, 2^28 pairs", 1L << 28, 4};
    }
  }
  static std::vector<double> published(char problem_class);

  explicit Ep(char problem_class);

  void reset();

  template <class Phases>
  void iterate() {
    Phases::template loop<&Ep::draw>(this, static_cast<long>(batches_.size()));
    Phases::template once<&Ep::add_up>(this);
  }

  /// The sums of the deviates.
  std::vector<double> result() const;
  void spoil();

 private:
  // What came of a batch of pairs. A cache line of its own, so that neighbours do not disturb each other.
  struct alignas(64) Sums {
    double x = 0, y = 0;
    std::array<long, 10> rings{};
  };

  void draw(Piece piece);
  void draw_batch(long batch);
  void add_up();

  std::vector<Sums> batches_;
  Sums total_;
};

}  // namespace nas
