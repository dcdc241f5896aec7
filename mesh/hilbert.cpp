#include "mesh/hilbert.hpp"

#include <algorithm>
#include <bit>

namespace heddle::mesh {
namespace {

// The axes along which a curve of orientation axis 0 goes from octant to octant, relative to that.
constexpr std::array<int, 7> kSteps{1, 2, 1, 0, 1, 2, 1};
// Of the curve within the n-th octant: its axis, and along which axes its start differs, relative likewise.
struct Turn {
  int axis;
  int flips;  // bit n: along axis n
};
constexpr std::array<Turn, 8> kTurns{
    {{1, 0b000}, {2, 0b000}, {0, 0b000}, {1, 0b011}, {1, 0b000}, {0, 0b000}, {2, 0b101}, {1, 0b011}}};

int along(int axis, int relative) {
  return (axis + relative) % 3;
}

// A division of the cubes' order: so many parts along an axis.
struct Factor {
  int axis;
  int count;
};

int largest_prime_factor(int number) {
  int largest = 1;
  for (int p = 2; p <= number; ++p) {
    for (; number % p == 0; number /= p) largest = p;
  }
  return largest;
}

std::vector<Factor> factors_of(std::array<int, 3> left) {
  std::vector<Factor> factors;
  int last = -1;
  while (left[0] > 1 || left[1] > 1 || left[2] > 1) {
    int axis = 0;
    for (int d = 1; d < 3; ++d) {
      // Of two with as many left the later one, but not the one that was taken last.
      if (left[d] > left[axis] || (left[d] == left[axis] && d != last)) axis = d;
    }
    const int factor = largest_prime_factor(left[axis]);
    left[axis] /= factor;
    if (!factors.empty() && factors.back().axis == axis)
      factors.back().count *= factor;
    else
      factors.push_back({axis, factor});
    last = axis;
  }
  return factors;
}

}  // namespace

int Hilbert::Orientation::octant(int n) const {
  int found = start;
  for (int step = 0; step < n; ++step) found ^= 1 << along(axis, kSteps[static_cast<std::size_t>(step)]);
  return found;
}

Hilbert::Orientation Hilbert::Orientation::within(int n) const {
  const Turn& turn = kTurns[static_cast<std::size_t>(n)];
  int flips = 0;
  for (int d = 0; d < 3; ++d) {
    if ((turn.flips >> d & 1) != 0) flips |= 1 << along(axis, d);
  }
  return {along(axis, turn.axis), start ^ flips};
}

Hilbert::Hilbert(const Geometry<3, 2>& geometry, HilbertRoots roots) : geometry_(geometry) {
  const auto& along_axes = geometry.roots();
  roots_.resize(static_cast<std::size_t>(geometry.places() / geometry.span(0)));
  if (roots == HilbertRoots::whole) {
    visit_cubes();
  } else {
    const int most = *std::max_element(along_axes.begin(), along_axes.end());
    visit({0, 0, 0}, std::bit_width(static_cast<unsigned>(most - 1)), {0, 0});
  }
}

void Hilbert::visit(std::array<int, 3> corner, int exponent, Orientation orientation) {
  for (int d = 0; d < 3; ++d) {
    if (corner[d] >= geometry_.roots()[d]) return;
  }
  if (exponent == 0) {
    roots_[static_cast<std::size_t>(geometry_.number({0, corner}))] = {visited_++, orientation};
    return;
  }
  for (int n = 0; n < 8; ++n) {
    const int octant = orientation.octant(n);
    std::array<int, 3> within = corner;
    for (int d = 0; d < 3; ++d) within[d] += (octant >> d & 1) << (exponent - 1);
    visit(within, exponent - 1, orientation.within(n));
  }
}

void Hilbert::visit_cubes() {
  int exponent = 30;
  for (const int roots : geometry_.roots())
    exponent = std::min(exponent, std::countr_zero(static_cast<unsigned>(roots)));
  std::array<int, 3> cubes{};
  for (int d = 0; d < 3; ++d) cubes[d] = geometry_.roots()[d] >> exponent;

  // The cubes' order, by nested divisions of it. Each goes through its axis to and fro.
  std::vector<std::array<int, 3>> order(static_cast<std::size_t>(cubes[0]) * cubes[1] * cubes[2]);
  std::size_t range = order.size();
  for (const Factor& factor : factors_of(cubes)) {
    const std::size_t part = range / static_cast<std::size_t>(factor.count);
    for (std::size_t begin = 0; begin < order.size(); begin += part) {
      const auto& at = order[begin];
      const int digit = static_cast<int>(begin % range / part);
      const bool is_forth = (at[(factor.axis + 1) % 3] + at[(factor.axis + 2) % 3]) % 2 == 0;
      const int taken = is_forth ? digit : factor.count - 1 - digit;
      for (std::size_t n = begin; n < begin + part; ++n)
        order[n][factor.axis] = order[n][factor.axis] * factor.count + taken;
    }
    range = part;
  }

  const int width = 1 << exponent;
  int start = 0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    std::array<int, 3> corner{}, next{1 + width, 1, 1};  // behind the last one the reference assumes that
    for (int d = 0; d < 3; ++d) {
      corner[d] = order[n][d] * width;
      if (n + 1 < order.size()) next[d] = order[n + 1][d] * width;
    }
    int d = 0;
    while (d < 2 && next[d] == corner[d]) ++d;
    const int step = next[d] - corner[d];
    const int exit_side = step == width || step < -width ? 1 : 0;
    const int axis = (start >> d & 1) == exit_side ? (d + 1) % 3 : d;
    visit(corner, exponent, {axis, start});
    start ^= 1 << axis ^ 1 << d;
  }
}

std::int64_t Hilbert::place(const BlockId<3>& block) const {
  std::array<int, 3> root = block.position;
  for (int& p : root) p >>= block.level;
  const Root& at = roots_[static_cast<std::size_t>(geometry_.number({0, root}))];
  std::int64_t place = at.number;
  Orientation orientation = at.orientation;
  for (int level = 1; level <= block.level; ++level) {
    int wanted = 0;
    for (int d = 0; d < 3; ++d) wanted |= (block.position[d] >> (block.level - level) & 1) << d;
    int n = 0;
    while (orientation.octant(n) != wanted) ++n;
    orientation = orientation.within(n);
    place = place * 8 + n;
  }
  return place * geometry_.span(block.level);
}

}  // namespace heddle::mesh
