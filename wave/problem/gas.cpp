#include "program/user_error.hpp"
#include "wave/flux/euler.hpp"
#include "wave/problem/case.hpp"

namespace heddle::wave {
namespace {

template <int D>
using GasCase = Case<Euler<D>, D>;
template <int D>
using Velocity = std::array<double, static_cast<std::size_t>(D)>;

template <int D>
GasCase<D> of_gas(const ProblemRequest& request, double gamma) {
  GasCase<D> c;
  c.problem.equation.gamma = request.gamma > 0.0 ? request.gamma : gamma;
  return c;
}
template <int D>
void starts_as_exact(GasCase<D>& c) {
  c.problem.initial = [exact = c.problem.exact](const Position<D>& x) { return exact(x, 0.0); };
}
template <int D>
double distance_from(const Position<D>& x, const Position<D>& centre) {
  double square = 0.0;
  for (int d = 0; d < D; ++d) square += (x[d] - centre[d]) * (x[d] - centre[d]);
  return std::sqrt(square);
}
template <int D>
Position<D> middle(double length) {
  Position<D> x{};
  x.fill(0.5 * length);
  return x;
}

// -- Tubes along the first axis, in which two states meet in the middle.

template <int D>
GasCase<D> tube(const ProblemRequest& request, const GasState& left, const GasState& right, double end) {
  GasCase<D> c = of_gas<D>(request, 1.4);
  const double gamma = c.problem.equation.gamma;
  for (int d = 1; d < D; ++d) c.problem.is_periodic[d] = true;
  if (ExactRiemann::creates_vacuum(left, right, gamma))
    throw program::UserError("--left and --right fly apart and leave a vacuum; give slower ones");
  c.problem.exact = [gas = c.problem.equation, left, right, solution = ExactRiemann(left, right, gamma)](
                        const Position<D>& x, double t) {
    const double along = x[0] - 0.5;
    const GasState s = t > 0.0 ? solution.along(along / t) : (along < 0.0 ? left : right);
    Velocity<D> velocity{};
    velocity[0] = s.velocity;
    return gas.conserved(s.density, velocity, s.pressure);
  };
  starts_as_exact(c);
  c.end = end;
  return c;
}

template <int D>
GasCase<D> riemann(const ProblemRequest& request, double) {
  const GasState left{1.0, 0.0, 1.0}, right{0.125, 0.0, 0.1};
  return tube<D>(request, request.left.value_or(left), request.right.value_or(right), 0.2);
}
// Toro, section 4.3.3, with the times of its figures.
template <int D>
GasCase<D> toro1(const ProblemRequest& request, double) {
  return tube<D>(request, {1, 0, 1}, {0.125, 0, 0.1}, 0.25);
}
template <int D>
GasCase<D> toro2(const ProblemRequest& request, double) {
  return tube<D>(request, {1, -2, 0.4}, {1, 2, 0.4}, 0.15);
}
template <int D>
GasCase<D> toro3(const ProblemRequest& request, double) {
  return tube<D>(request, {1, 0, 1000}, {1, 0, 0.01}, 0.012);
}
template <int D>
GasCase<D> toro4(const ProblemRequest& request, double) {
  return tube<D>(request, {1, 0, 0.01}, {1, 0, 100}, 0.035);
}
template <int D>
GasCase<D> toro5(const ProblemRequest& request, double) {
  return tube<D>(request, {5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 0.035);
}

// -- Smooth flows

// Source: Shu, "Essentially non-oscillatory and weighted essentially non-oscillatory schemes", 1998, section
// 5: strength 5, in a free stream of velocity (1, 1).
template <int D>
GasCase<D> vortex(const ProblemRequest& request, double) {
  GasCase<D> c = of_gas<D>(request, 1.4);
  c.problem.length = 10.0;
  c.problem.is_periodic.fill(true);
  c.problem.exact = [gas = c.problem.equation](const Position<D>& x, double t) {
    constexpr double kStrength = 5.0;
    std::array<double, 2> r{};
    for (int d = 0; d < 2; ++d) {
      const double from_centre = (x[d] - t - 5.0) / 10.0;
      r[d] = 10.0 * (from_centre - std::round(from_centre));
    }
    const double square = r[0] * r[0] + r[1] * r[1], g = gas.gamma;
    const double swirl = kStrength / (2 * M_PI) * std::exp(0.5 * (1.0 - square));
    const double temperature =
        1.0 - (g - 1.0) * kStrength * kStrength / (8.0 * g * M_PI * M_PI) * std::exp(1.0 - square);
    Velocity<D> velocity{};
    velocity[0] = 1.0 - swirl * r[1];
    velocity[1] = 1.0 + swirl * r[0];
    return gas.conserved(std::pow(temperature, 1.0 / (g - 1.0)), velocity,
                         std::pow(temperature, g / (g - 1.0)));
  };
  starts_as_exact(c);
  c.end = 10.0;
  c.criterion = CriterionKind::ball;
  c.ball = {0.5, 0.1, 0.2};
  return c;
}

template <int D>
GasCase<D> entropy_wave(const ProblemRequest& request, double) {
  GasCase<D> c = of_gas<D>(request, 1.4);
  c.problem.is_periodic.fill(true);
  c.problem.exact = [gas = c.problem.equation](const Position<D>& x, double t) {
    Velocity<D> velocity{};
    velocity[0] = 1.0;
    return gas.conserved(1.0 + 0.2 * std::sin(2 * M_PI * (x[0] - t)), velocity, 1.0);
  };
  starts_as_exact(c);
  c.criterion = CriterionKind::fixed;
  return c;
}

template <int D>
GasCase<D> free_stream(const ProblemRequest& request, double) {
  GasCase<D> c = of_gas<D>(request, 1.4);
  c.problem.is_periodic.fill(true);
  c.problem.exact = [gas = c.problem.equation](const Position<D>&, double) {
    Velocity<D> velocity{};
    for (int d = 0; d < D; ++d) velocity[d] = 0.7 - 0.45 * d;
    return gas.conserved(1.1, velocity, 0.37);
  };
  starts_as_exact(c);
  c.criterion = CriterionKind::ball;
  return c;
}

// A dense region sends waves through a periodic cube, as in the paper that heddle-wave follows.
template <int D>
GasCase<D> high_density_peak(const ProblemRequest& request, double) {
  GasCase<D> c = of_gas<D>(request, 1.4);
  c.problem.is_periodic.fill(true);
  c.problem.initial = [gas = c.problem.equation](const Position<D>& x) {
    const double r = distance_from<D>(x, middle<D>(1.0));
    const double peak = std::exp(-r * r / 0.01);
    return gas.conserved(1.0 + peak, {}, 1.0 + peak);
  };
  c.end = 0.1;
  return c;
}

// -- Strong shocks

// Source: Sedov, "Similarity and dimensional methods in mechanics", 1959: energy 1 in a cold gas of density
// 1, here in the smallest volumes whose centres lie within three and a half widths of the middle.
template <int D>
GasCase<D> sedov(const ProblemRequest& request, double finest) {
  GasCase<D> c = of_gas<D>(request, 1.4);
  const double radius = 3.5 * finest;
  const auto is_inside = [radius](const Position<D>& x) {
    return distance_from<D>(x, middle<D>(1.0)) < radius;
  };
  const auto along = static_cast<int>(std::lround(1.0 / finest));
  int volumes = 0;  // inside
  for_each_volume<D>(10, [&](const std::array<int, D>& volume) {
    Position<D> x{};
    bool exists = true;
    for (int d = 0; d < D; ++d) {
      const int at = along / 2 - 5 + volume[d];
      exists = exists && 0 <= at && at < along;
      x[d] = (at + 0.5) * finest;
    }
    volumes += exists && is_inside(x) ? 1 : 0;
  });
  const double pressure = (c.problem.equation.gamma - 1.0) / (volumes * std::pow(finest, D));
  c.problem.initial = [gas = c.problem.equation, is_inside, pressure](const Position<D>& x) {
    return gas.conserved(1.0, {}, is_inside(x) ? pressure : 1e-5);
  };
  c.problem.is_fine_at_start = [radius](const Position<D>& low, const Position<D>& high) {
    Position<D> nearest{};
    for (int d = 0; d < D; ++d) nearest[d] = std::clamp(0.5, low[d], high[d]);
    return distance_from<D>(nearest, middle<D>(1.0)) < radius;
  };
  c.end = 0.1;
  return c;
}

// Source: Noh, "Errors for calculations of strong shocks using an artificial viscosity and an artificial heat
// flux", 1987: cold gas falls towards the middle at speed 1, and a shock runs outwards at 1/3.
template <int D>
GasCase<D> noh(const ProblemRequest& request, double) {
  GasCase<D> c = of_gas<D>(request, 5.0 / 3.0);
  c.problem.boundaries.fill(Boundary::prescribed);
  c.problem.exact = [gas = c.problem.equation](const Position<D>& x, double t) {
    const Position<D> centre = middle<D>(1.0);
    const double r = distance_from<D>(x, centre), shock = 0.5 * (gas.gamma - 1.0);
    if (r < shock * t) {
      const double density = std::pow((gas.gamma + 1.0) / (gas.gamma - 1.0), D);
      return gas.conserved(density, {}, 0.5 * (gas.gamma - 1.0) * density);
    }
    Velocity<D> velocity{};
    for (int d = 0; d < D; ++d) velocity[d] = r > 0.0 ? -(x[d] - centre[d]) / r : 0.0;
    return gas.conserved(std::pow(1.0 + (r > 0.0 ? t / r : 0.0), D - 1), velocity, 1e-6);
  };
  c.problem.outside = c.problem.exact;
  starts_as_exact(c);
  c.end = 0.6;
  return c;
}

// A shock of Mach 1.22 meets a light bubble, as in Haas and Sturtevant, "Interaction of weak shock waves with
// cylindrical and spherical gas inhomogeneities", 1987; one gas, of helium's density within the bubble.
template <int D>
GasCase<D> shock_bubble(const ProblemRequest& request, double) {
  GasCase<D> c = of_gas<D>(request, 1.4);
  c.problem.length = 3.0;
  c.problem.boundaries.fill(Boundary::wall);
  c.problem.boundaries[0] = c.problem.boundaries[1] = Boundary::outflow;
  c.problem.initial = [gas = c.problem.equation](const Position<D>& x) {
    constexpr double kMach = 1.22, kShock = 0.3, kBubble = 0.8, kRadius = 0.28, kLight = 0.138;
    const double g = gas.gamma, square = kMach * kMach, c_ahead = std::sqrt(g);
    if (x[0] < kShock) {
      Velocity<D> velocity{};
      velocity[0] = 2.0 / (g + 1.0) * (kMach - 1.0 / kMach) * c_ahead;
      return gas.conserved((g + 1.0) * square / ((g - 1.0) * square + 2.0), velocity,
                           1.0 + 2.0 * g / (g + 1.0) * (square - 1.0));
    }
    Position<D> centre = middle<D>(1.0);
    centre[0] = kBubble;
    return gas.conserved(distance_from<D>(x, centre) < kRadius ? kLight : 1.0, {}, 1.0);
  };
  c.end = 1.2;
  return c;
}

constexpr std::array<int, 3> kCube{1, 1, 1}, kTube{9, 1, 1}, kChannel{3, 1, 1};

const std::vector<Entry<Euler>>& entries() {
  const auto gas = [](const char* name, const char* description) {
    return ProblemInfo{name, "Euler", description};
  };
  static const std::vector<Entry<Euler>> list{
      {gas("sedov", "a point explosion in a cold gas"), kCube, false, sedov<2>, sedov<3>},
      {gas("noh", "a cold gas falls on itself; exact solution"), kCube, false, noh<2>, noh<3>},
      {gas("shock-bubble", "a shock meets a bubble of light gas"), kChannel, false, shock_bubble<2>,
       shock_bubble<3>},
      {gas("high-density-peak", "waves leave a dense region of a periodic cube"), kCube, false,
       high_density_peak<2>, high_density_peak<3>},
      {gas("vortex", "a vortex drifts through a periodic cube; exact solution"), kCube, false, vortex<2>,
       vortex<3>},
      {gas("entropy-wave", "a gas of wavy density drifts; exact solution"), kCube, false, entropy_wave<2>,
       entropy_wave<3>},
      {gas("free-stream", "nothing happens on a mesh that moves; exact solution"), kCube, false,
       free_stream<2>, free_stream<3>},
      {gas("riemann", "a tube in which --left and --right meet; exact solution"), kTube, true, riemann<2>,
       riemann<3>},
      {gas("sod", "the shock tube of Sod, to time 0.2; exact solution"), kTube, true, riemann<2>, riemann<3>},
      {gas("toro1", "Toro's tests: Sod's, to time 0.25"), kTube, true, toro1<2>, toro1<3>},
      {gas("toro2", "two rarefactions and next to nothing between"), kTube, true, toro2<2>, toro2<3>},
      {gas("toro3", "a strong shock to the right"), kTube, true, toro3<2>, toro3<3>},
      {gas("toro4", "a strong shock to the left"), kTube, true, toro4<2>, toro4<3>},
      {gas("toro5", "two strong shocks collide"), kTube, true, toro5<2>, toro5<3>},
  };
  return list;
}

}  // namespace

Family gas_family() {
  return family_of<entries>();
}

}  // namespace heddle::wave
