// One patch at a time.
#include "wave/flux/muscl_hancock.hpp"

#include <gtest/gtest.h>

#include "tests/support/seed.hpp"
#include "tests/unit/wave/flux/random_gas.hpp"
#include "wave/patch/face_states.hpp"

namespace heddle::wave {
namespace {

constexpr double kDx = 0.1, kDt = 0.004;

TEST(Limiter, ChoosesTheSlopeThatItsNameSays) {
  struct Row {
    double below, here, above, minmod, mc, none;
  };
  for (const Row& row : {Row{0, 1, 2, 1, 1, 1},
                         {0, 1, 3, 1, 1.5, 1.5},
                         {0, 1, 9, 1, 2, 4.5},
                         {0, 1, 1, 0, 0, 0.5},
                         {0, 1, 0.5, 0, 0, 0.25},
                         {2, 1, 0, -1, -1, -1},
                         {9, 1, 0, -1, -2, -4.5}}) {
    EXPECT_EQ(slope(Limiter::minmod, row.below, row.here, row.above), row.minmod);
    EXPECT_EQ(slope(Limiter::mc, row.below, row.here, row.above), row.mc);
    EXPECT_EQ(slope(Limiter::none, row.below, row.here, row.above), row.none);
  }
}

TEST(Limiter, GivesEightVolumesTheBitsThatItGivesOne) {
  SeededRandom random;
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  for (int turn = 0; turn < 1000; ++turn) {
    Lanes below, here, above;
    for (int i = 0; i < kLanes; ++i) {
      below[i] = number(random);
      here[i] = turn % 3 == 0 ? below[i] : number(random);
      above[i] = number(random);
    }
    for (const Limiter limiter : {Limiter::minmod, Limiter::mc, Limiter::none}) {
      const Lanes slopes = slope(limiter, below, here, above);
      for (int i = 0; i < kLanes; ++i) {
        EXPECT_EQ(slopes[i], slope<double>(limiter, below[i], here[i], above[i]));
        EXPECT_EQ(-slopes[i], slope<double>(limiter, above[i], here[i], below[i]));
      }
    }
  }
}

/// What lies beyond the faces of a patch: the carried states of `others`, which has the volumes of this
/// patch's ghosts.
template <int D>
struct Beyond {
  explicit Beyond(const PatchShape<D>& shape) {
    for (auto& face : states) face.resize(static_cast<std::size_t>(shape.face_volumes() * (D + 2) + kLanes));
  }
  [[nodiscard]] StatesBeyond<D> pointers() const {
    StatesBeyond<D> all;
    for (std::size_t face = 0; face < states.size(); ++face) all[face] = states[face].data();
    return all;
  }
  std::array<std::vector<double>, 2 * static_cast<std::size_t>(D)> states;
};

/// A volume's slopes, rate and carried face states as the book has them, for one volume.
template <int D>
struct ByTheBook {
  const Euler<D>& gas;
  const PatchShape<D>& shape;
  const std::vector<double>& q;
  Limiter limiter;

  [[nodiscard]] State<Euler<D>> half_slope(std::ptrdiff_t at, int axis) const {
    const std::ptrdiff_t up = shape.stride(axis);
    State<Euler<D>> half;
    for (int v = 0; v < D + 2; ++v) {
      const double* const here = q.data() + at + v * shape.plane();
      half[v] = 0.5 * slope(limiter, here[-up], here[0], here[up]);
    }
    return half;
  }
  /// Whether the gas of this volume has positive pressure at all its faces.
  [[nodiscard]] bool has_slopes(std::ptrdiff_t at) const {
    for (int axis = 0; axis < D; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        State<Euler<D>> s = state_at(shape, q, at);
        const auto half = half_slope(at, axis);
        for (int v = 0; v < D + 2; ++v) s[v] += side * half[v];
        if (gas.pressure(s) < 0.0) return false;
      }
    }
    return true;
  }
  [[nodiscard]] State<Euler<D>> face_state(std::ptrdiff_t at, int face) const {
    State<Euler<D>> s = state_at(shape, q, at);
    if (!has_slopes(at)) return s;
    const auto half = half_slope(at, face / 2);
    for (int v = 0; v < D + 2; ++v) s[v] = face % 2 == 0 ? s[v] - half[v] : s[v] + half[v];
    return s;
  }
  [[nodiscard]] State<Euler<D>> rate(std::ptrdiff_t at) const {
    State<Euler<D>> inflow{};
    if (!has_slopes(at)) return inflow;
    for (int axis = 0; axis < D; ++axis) {
      State<Euler<D>> f_low, f_high;
      gas.flux(face_state(at, 2 * axis), axis, f_low);
      gas.flux(face_state(at, 2 * axis + 1), axis, f_high);
      for (int v = 0; v < D + 2; ++v) inflow[v] += f_low[v] - f_high[v];
    }
    for (double& one : inflow) one *= 1.0 / kDx;
    return inflow;
  }
  [[nodiscard]] State<Euler<D>> carried_face_state(std::ptrdiff_t at, int face) const {
    const State<Euler<D>> before = face_state(at, face), change = rate(at);
    State<Euler<D>> s;
    for (int v = 0; v < D + 2; ++v) s[v] = before[v] + 0.5 * kDt * change[v];
    return gas.pressure(s) < 0.0 ? before : s;
  }
};

template <int D>
void expect_as_written_down(const std::vector<double>& q, Limiter limiter, int* without_slopes = nullptr) {
  const Euler<D> gas;
  const PatchShape<D> shape(kVolumes);
  MusclHancock<Euler<D>, D> kernel(gas, shape, limiter);
  const ByTheBook<D> book{gas, shape, q, limiter};
  std::vector<double> next = q;
  kernel.find_rates(q.data(), next.data(), kDx);
  // Beyond a face lies a mirror image of the volume inside.
  Beyond<D> beyond(shape);
  std::vector<double> records(size_of_records<Euler<D>, D>(shape));
  const FaceStates<Euler<D>, D, 2> faces(gas, shape, HangingFlux::from_fine);
  faces.write_records(kernel, q.data(), next.data(), records.data());
  const auto mirrored = [&](std::ptrdiff_t at, int face) {
    return gas.mirrored(book.carried_face_state(at, face), face / 2);
  };
  for (int face = 0; face < 2 * D; ++face) {
    const auto record = record_of<Euler<D>, D>(shape, static_cast<const double*>(records.data()), face);
    for_each_volume<D - 1>(kVolumes, [&](const Transverse<D>& t) {
      const std::ptrdiff_t at = shape.at(volume_at<D>(face, t, kVolumes));
      const auto values = record.template state<2 * (D + 2)>(t);
      const auto state = book.face_state(at, face), rate = book.rate(at);
      EXPECT_TRUE(std::equal(state.begin(), state.end(), values.begin())) << "face " << face;
      EXPECT_TRUE(std::equal(rate.begin(), rate.end(), values.begin() + D + 2)) << "face " << face;
      dense_layer<D>(shape, beyond.states[face].data()).set_state(t, mirrored(at, face));
    });
  }
  kernel.complete(q.data(), next.data(), beyond.pointers(), {}, kDt, kDx);
  for_each_volume<D>(kVolumes, [&](const std::array<int, D>& volume) {
    const std::ptrdiff_t at = shape.at(volume);
    if (without_slopes != nullptr) *without_slopes += book.has_slopes(at) ? 0 : 1;
    State<Euler<D>> residual{}, expected = state_at(shape, q, at);
    for (int axis = 0; axis < D; ++axis) {
      const std::ptrdiff_t up = shape.stride(axis);
      const auto below =
          volume[axis] == 0 ? mirrored(at, 2 * axis) : book.carried_face_state(at - up, 2 * axis + 1);
      const auto above = volume[axis] == kVolumes - 1 ? mirrored(at, 2 * axis + 1)
                                                      : book.carried_face_state(at + up, 2 * axis);
      const auto low = rusanov(gas, below, book.carried_face_state(at, 2 * axis), axis);
      const auto high = rusanov(gas, book.carried_face_state(at, 2 * axis + 1), above, axis);
      for (int v = 0; v < D + 2; ++v) residual[v] += high[v] - low[v];
    }
    for (int v = 0; v < D + 2; ++v) expected[v] -= kDt / kDx * residual[v];
    EXPECT_EQ(state_at(shape, next, at), expected);
  });
}

TEST(MusclHancock, IsWhatTheBookSaysVolumeByVolumeToTheBit) {
  SeededRandom random;
  for (const Limiter limiter : {Limiter::minmod, Limiter::mc, Limiter::none}) {
    expect_as_written_down<2>(random_gas<2>(PatchShape<2>(kVolumes), random), limiter);
    expect_as_written_down<3>(random_gas<3>(PatchShape<3>(kVolumes), random), limiter);
  }
}

// A cold gas in fast motion: steep slopes of energy and momentum do not go together.
TEST(MusclHancock, AVolumeWhoseFaceStatesWouldHaveNegativePressureHasNoSlopes) {
  SeededRandom random;
  const PatchShape<2> shape(kVolumes);
  constexpr int kPatches = 10;
  int without_slopes = 0;
  for (int patch = 0; patch < kPatches; ++patch) {
    auto q = random_gas<2>(shape, random);
    for (std::ptrdiff_t at = 0; at < shape.plane(); ++at) {
      const auto p = Euler<2>{}.primitive(state_at(shape, q, at));
      const auto cold = Euler<2>{}.conserved(p[0], {p[1], p[2]}, 0.02 * p[3]);
      for (int v = 0; v < 4; ++v) q[static_cast<std::size_t>(at + v * shape.plane())] = cold[v];
    }
    expect_as_written_down<2>(q, Limiter::none, &without_slopes);
  }
  EXPECT_GT(without_slopes, 0);
  EXPECT_LT(without_slopes, kPatches * kVolumes * kVolumes);
}

TEST(Carry, AFaceStateThatWouldBeNoneStays) {
  const Euler<2> gas;
  const auto state = gas.conserved(1.0, {0.1, 0.2}, 0.3);
  const State<Euler<2>> rate{0.0, 0.0, 0.0, -1.0};
  auto expected = state;
  expected[3] -= 0.1;
  EXPECT_EQ(carried(gas, state, rate, 0.1, 0), expected);
  EXPECT_EQ(carried(gas, state, rate, 1.0, 0), state);
}

}  // namespace
}  // namespace heddle::wave
