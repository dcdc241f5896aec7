#include "wave/flux/acoustics.hpp"
#include "wave/flux/advection.hpp"
#include "wave/problem/case.hpp"

namespace heddle::wave {
namespace {

template <int D>
Case<Acoustics<D>, D> plane_wave(const ProblemRequest&, double) {
  Case<Acoustics<D>, D> c;
  c.problem.is_periodic.fill(true);
  c.problem.exact = [](const Position<D>& x, double t) {
    State<Acoustics<D>> q{};
    q[0] = q[1] = std::cos(2 * M_PI * (x[0] - t));
    return q;
  };
  c.problem.initial = [exact = c.problem.exact](const Position<D>& x) { return exact(x, 0.0); };
  c.criterion = CriterionKind::fixed;
  return c;
}

template <int D>
Case<Advection<D>, D> bump(const ProblemRequest&, double) {
  Case<Advection<D>, D> c;
  c.problem.is_periodic.fill(true);
  for (int d = 0; d < D; ++d) c.problem.equation.velocity[d] = 1.0 - 0.25 * d;
  c.problem.exact = [wind = c.problem.equation.velocity](const Position<D>& x, double t) {
    double square = 0.0;
    for (int d = 0; d < D; ++d) {
      const double from_centre = x[d] - wind[d] * t - 0.5;
      const double nearest = from_centre - std::round(from_centre);
      square += nearest * nearest;
    }
    return State<Advection<D>>{1.0 + std::exp(-square / 0.02)};
  };
  c.problem.initial = [exact = c.problem.exact](const Position<D>& x) { return exact(x, 0.0); };
  return c;
}

const std::vector<Entry<Acoustics>>& acoustics() {
  static const std::vector<Entry<Acoustics>> list{
      {{"acoustic-wave", "linear acoustics", "a plane wave in a periodic cube; exact solution"},
       {1, 1, 1},
       false,
       plane_wave<2>,
       plane_wave<3>}};
  return list;
}

const std::vector<Entry<Advection>>& advection() {
  static const std::vector<Entry<Advection>> list{
      {{"advection", "advection", "a wind carries a bump through a periodic cube; exact solution"},
       {1, 1, 1},
       false,
       bump<2>,
       bump<3>}};
  return list;
}

}  // namespace

Family acoustics_family() {
  return family_of<acoustics>();
}

Family advection_family() {
  return family_of<advection>();
}

}  // namespace heddle::wave
