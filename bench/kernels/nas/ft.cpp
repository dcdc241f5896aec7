#include "ft.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "random.hpp"

namespace nas {
namespace {

constexpr long kMostPoints = 256;  // along an axis

std::array<long, 3> points_of(char problem_class) {
  switch (problem_class) {
    case 'S':
      return {64, 64, 64};
    case 'W':
      return {128, 128, 32};
    default:
      return {256, 256, 128};
  }
}

// The transforms of so many lines, whose k-th points stand side by side: Stockham's algorithm of radix 2,
// which leaves them in order. Returns where the result is, in data or in scratch.
template <long kLines>
const Complex* transformed(Complex* data, Complex* scratch, long points, const std::vector<Complex>& roots) {
  for (long half = points / 2, group = 1; half >= 1; half /= 2, group *= 2) {
    for (long j = 0; j < half; ++j) {
      const Complex root = roots[static_cast<std::size_t>(j * group)];
      const Complex* const low = data + j * group * kLines;
      const Complex* const high = low + half * group * kLines;
      Complex* const even = scratch + 2 * j * group * kLines;
      Complex* const odd = even + group * kLines;
      for (long k = 0; k < group * kLines; ++k) {
        const double real = low[k].real - high[k].real, imaginary = low[k].imaginary - high[k].imaginary;
        even[k] = {low[k].real + high[k].real, low[k].imaginary + high[k].imaginary};
        odd[k] = {root.real * real - root.imaginary * imaginary,
                  root.real * imaginary + root.imaginary * real};
      }
    }
    std::swap(data, scratch);
  }
  return data;
}

}  // namespace

Ft::Ft(char problem_class) : points_(points_of(problem_class)) {
  constexpr double kDiffusivity = 1e-6;
  frequencies_.resize(static_cast<std::size_t>(points_[0] * points_[1] * points_[2]));
  values_.resize(frequencies_.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const long points = points_[axis];
    for (long k = 0; k < points; ++k) {
      const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(points);
      roots_[axis].push_back({std::cos(angle), std::sin(angle)});
      const auto frequency = static_cast<double>(k < points / 2 ? k : k - points);
      const double factor = 4 * kDiffusivity * std::numbers::pi * std::numbers::pi;
      decays_[axis].push_back(std::exp(-factor * frequency * frequency));
    }
  }
}

std::vector<double> Ft::published(char problem_class) {
  switch (problem_class) {
    case 'S':
      return {5.546087004964e2, 4.845363331978e2, 5.546385409189e2, 4.865304269511e2,
              5.546148406171e2, 4.883910722336e2, 5.545423607415e2, 4.901273169046e2,
              5.544255039624e2, 4.917475857993e2, 5.542683411902e2, 4.932597244941e2};
    case 'W':
      return {5.673612178944e2, 5.293246849175e2, 5.631436885271e2, 5.282149986629e2,
              5.594024089970e2, 5.270996558037e2, 5.560698047020e2, 5.260027904925e2,
              5.530898991250e2, 5.249400845633e2, 5.504159734538e2, 5.239212247086e2};
    default:
      return {5.046735008193e2, 5.114047905510e2, 5.059412319734e2, 5.098809666433e2,
              5.069376896287e2, 5.098144042213e2, 5.077892868474e2, 5.101336130759e2,
              5.085233095391e2, 5.104914655194e2, 5.091487099959e2, 5.107917842803e2};
  }
}

// The initial values are random. The decay is the same for a frequency and its negative, so the transform
// there and the one back may have the same sign: the box is mirrored, and so are the places that are summed
// up.
void Ft::reset() {
  sums_.clear();
  Random random(314159265);
  for (Complex& value : frequencies_) {
    value.real = random.next();
    value.imaginary = random.next();
  }
  for (int axis = 0; axis < 3; ++axis) {
    transform(
        frequencies_, axis,
        {0, static_cast<long>(frequencies_.size()) / points_[static_cast<std::size_t>(axis)] / kLines, 0});
  }
}

// Lines along x are neighbours in y; others are neighbours in x.
Ft::Lines Ft::lines_along(int axis, long bundle) const {
  const long plane = points_[0] * points_[1], bundles = points_[0] / kLines;
  switch (axis) {
    case 0:
      return {bundle * kLines * points_[0], 1, points_[0]};
    case 1:
      return {bundle / bundles * plane + bundle % bundles * kLines, points_[0], 1};
    default:
      return {bundle / bundles * points_[0] + bundle % bundles * kLines, plane, 1};
  }
}

void Ft::transform(std::vector<Complex>& grid, int axis, Piece bundles) {
  alignas(64) Complex data[kMostPoints * kLines], scratch[kMostPoints * kLines];
  const long points = points_[static_cast<std::size_t>(axis)];
  for (long bundle = bundles.first; bundle < bundles.last; ++bundle) {
    const Lines lines = lines_along(axis, bundle);
    Complex* const first = grid.data() + lines.first;
    for (long p = 0; p < points; ++p) {
      for (long line = 0; line < kLines; ++line)
        data[p * kLines + line] = first[p * lines.step + line * lines.apart];
    }
    const Complex* const done =
        transformed<kLines>(data, scratch, points, roots_[static_cast<std::size_t>(axis)]);
    for (long p = 0; p < points; ++p) {
      for (long line = 0; line < kLines; ++line)
        first[p * lines.step + line * lines.apart] = done[p * kLines + line];
    }
  }
}

void Ft::decay_and_transform_z(Piece bundles) {
  for (long bundle = bundles.first; bundle < bundles.last; ++bundle) {
    const Lines lines = lines_along(2, bundle);
    const long y = lines.first / points_[0], x = lines.first % points_[0];
    for (long z = 0; z < points_[2]; ++z) {
      const double of_row = decays_[2][static_cast<std::size_t>(z)] * decays_[1][static_cast<std::size_t>(y)];
      for (long line = 0; line < kLines; ++line) {
        const auto point = static_cast<std::size_t>(lines.first + z * lines.step + line);
        const double decay = of_row * decays_[0][static_cast<std::size_t>(x + line)];
        frequencies_[point].real *= decay;
        frequencies_[point].imaginary *= decay;
        values_[point] = frequencies_[point];
      }
    }
  }
  transform(values_, 2, bundles);
}

void Ft::transform_y(Piece bundles) {
  transform(values_, 1, bundles);
}

void Ft::transform_x(Piece bundles) {
  transform(values_, 0, bundles);
}

void Ft::add_up() {
  Complex sum;
  for (long j = 1; j <= 1024; ++j) {
    const long x = j % points_[0], y = 3 * j % points_[1], z = 5 * j % points_[2];
    // The transforms have mirrored the box.
    const long mirrored_x = (points_[0] - x) % points_[0], mirrored_y = (points_[1] - y) % points_[1];
    const long mirrored_z = (points_[2] - z) % points_[2];
    const Complex& value =
        values_[static_cast<std::size_t>((mirrored_z * points_[1] + mirrored_y) * points_[0] + mirrored_x)];
    sum.real += value.real;
    sum.imaginary += value.imaginary;
  }
  const auto count = static_cast<double>(values_.size());
  sums_.push_back(sum.real / count);
  sums_.push_back(sum.imaginary / count);
}

}  // namespace nas
