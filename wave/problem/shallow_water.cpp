#include "wave/flux/shallow_water.hpp"

#include "wave/problem/case.hpp"

namespace heddle::wave {
namespace {

// A dam at x = 0.5 between deep and shallow water at rest breaks at time 0: a shock runs into the shallow
// water and a rarefaction into the deep. Source: Stoker, "Water waves", 1957, section 10.8.
class DamBreak {
 public:
  DamBreak(double deep, double shallow, double gravity) : deep_(deep), shallow_(shallow), gravity_(gravity) {
    // The depth between the two waves, by bisection: the velocities behind shock and rarefaction agree.
    double low = shallow, high = deep;
    for (int i = 0; i < 200; ++i) {
      const double middle = 0.5 * (low + high);
      (behind_shock(middle) < behind_rarefaction(middle) ? low : high) = middle;
    }
    depth_ = 0.5 * (low + high);
    velocity_ = behind_rarefaction(depth_);
  }

  /// Depth and velocity along the ray x - 0.5 = speed * time.
  [[nodiscard]] std::array<double, 2> along(double speed) const {
    const double c_deep = std::sqrt(gravity_ * deep_);
    if (speed < -c_deep) return {deep_, 0.0};
    if (speed < velocity_ - std::sqrt(gravity_ * depth_)) {
      const double c = (2.0 * c_deep - speed) / 3.0;
      return {c * c / gravity_, 2.0 / 3.0 * (c_deep + speed)};
    }
    const double shock = velocity_ * depth_ / (depth_ - shallow_);
    return speed < shock ? std::array{depth_, velocity_} : std::array{shallow_, 0.0};
  }

 private:
  [[nodiscard]] double behind_rarefaction(double depth) const {
    return 2.0 * (std::sqrt(gravity_ * deep_) - std::sqrt(gravity_ * depth));
  }
  [[nodiscard]] double behind_shock(double depth) const {
    return (depth - shallow_) * std::sqrt(0.5 * gravity_ * (1.0 / depth + 1.0 / shallow_));
  }

  double deep_, shallow_, gravity_;
  double depth_ = 0.0, velocity_ = 0.0;
};

Case<ShallowWater<2>, 2> dam_break(const ProblemRequest&, double) {
  Case<ShallowWater<2>, 2> c;
  c.problem.is_periodic[1] = true;
  c.problem.initial = [](const Position<2>& x) { return State<ShallowWater<2>>{x[0] < 0.5 ? 1.0 : 0.25}; };
  c.problem.exact = [dam = DamBreak(1.0, 0.25, c.problem.equation.gravity)](const Position<2>& x, double t) {
    const auto [depth, velocity] = dam.along(t > 0.0 ? (x[0] - 0.5) / t : (x[0] < 0.5 ? -1e9 : 1e9));
    return State<ShallowWater<2>>{depth, depth * velocity, 0.0};
  };
  c.end = 0.3;
  return c;
}

const std::vector<Entry<ShallowWater>>& entries() {
  static const std::vector<Entry<ShallowWater>> list{
      {{"dam-break", "shallow water", "a dam breaks between depths 1 and 0.25; exact solution"},
       {9, 1, 1},
       true,
       dam_break,
       nullptr}};
  return list;
}

}  // namespace

Family shallow_water_family() {
  return family_of<entries>();
}

}  // namespace heddle::wave
