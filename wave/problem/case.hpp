// From a problem's description to a simulation of it, in either dimension and ratio.
//
// Words: a *case* is a problem with the choices that suit it. Its *aspect* is how many roots it has along
// each axis, where one has as many as the ratio allows: a cube has (1, 1, 1).
#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <utility>

#include "program/user_error.hpp"
#include "wave/exec/simulation.hpp"
#include "wave/problem/families.hpp"
#include "wave/problem/initial_mesh.hpp"

namespace heddle::wave {

template <Equation E, int D>
struct Case {
  Problem<E, D> problem;
  double end = 1.0;
  CriterionKind criterion = CriterionKind::jump;
  Ball ball;
};

/// A case with all that its options have chosen.
template <Equation E, int D, int R>
struct Setup {
  Problem<E, D> problem;
  MeshSettings<D> mesh;
  Criterion<D> criterion;
  double end = 1.0;
};

/// Entry of a catalogue: the same problem in two and in three dimensions. finest: the width of the smallest
/// volumes.
template <template <int> class E>
struct Entry {
  ProblemInfo info;
  std::array<int, 3> aspect{1, 1, 1};
  bool is_tube = false;  // nothing changes across the first axis: any number of roots will do there
  Case<E<2>, 2> (*in_2d)(const ProblemRequest& request, double finest) = nullptr;
  Case<E<3>, 3> (*in_3d)(const ProblemRequest& request, double finest) = nullptr;  // null: planar
};

namespace detail {

template <int D>
Criterion<D> make_criterion(CriterionKind kind, const ProblemRequest& request, const Ball& ball,
                            double length) {
  if (kind == CriterionKind::fixed) return {};
  if (kind == CriterionKind::jump) {
    return [above = request.refine_above, below = request.coarsen_below](
               const Position<D>&, const Position<D>&, int, double, double jump) {
      return jump > above ? mesh::Mark::refine : (jump < below ? mesh::Mark::coarsen : mesh::Mark::stay);
    };
  }
  return [ball, length](const Position<D>& low, const Position<D>& high, int, double time, double) {
    double square = 0.0;
    const double along = ball.centre + ball.velocity * time;
    const double centre = length * (along - std::floor(along));
    for (int d = 0; d < D; ++d) {
      const double distance = std::clamp(centre, low[d], high[d]) - centre;
      square += distance * distance;
    }
    return square < length * length * ball.radius * ball.radius ? mesh::Mark::refine : mesh::Mark::coarsen;
  };
}

/// Volumes that a rank can be asked to hold at the coarsest: more is a mistake of the command line.
inline constexpr double kMostVolumes = 4e9;

template <int D, int R>
MeshSettings<D> mesh_of(const ProblemRequest& request, const std::array<int, 3>& aspect, bool is_tube) {
  MeshSettings<D> mesh;
  for (int d = 0; d < D; ++d) mesh.roots[d] = aspect[static_cast<std::size_t>(d)] * (R == 2 ? 2 : 1);
  if (!request.roots.empty()) {
    if (request.roots.size() != static_cast<std::size_t>(D))
      throw program::UserError(fmt::format(
          "--roots has {} numbers, but the mesh has {} axes; give one for each", request.roots.size(), D));
    for (std::size_t d = 0; d < static_cast<std::size_t>(D); ++d) {
      mesh.roots[d] = request.roots[d];
      if (!is_tube && mesh.roots[d] * aspect[0] != mesh.roots[0] * aspect[d])
        throw program::UserError(fmt::format(
            "--roots {} does not fit the domain of {}; give numbers in proportion {}",
            fmt::join(request.roots, ","), request.name, fmt::join(aspect.begin(), aspect.begin() + D, ":")));
    }
  }
  mesh.volumes = request.volumes > 0 ? request.volumes : (D == 2 ? 63 : R == 3 ? 15 : 16);
  mesh.coarsest_level = request.base_level >= 0 ? request.base_level : 1;
  mesh.deepest_level =
      request.max_level >= 0 ? request.max_level : std::max(mesh.coarsest_level, R == 2 ? 3 : 2);
  if (mesh.deepest_level < mesh.coarsest_level)
    throw program::UserError(fmt::format("--max_level is {}, below --base_level {}; give {} or more",
                                         mesh.deepest_level, mesh.coarsest_level, mesh.coarsest_level));
  if (!mesh::Geometry<D, R>::fits(mesh.roots, mesh.deepest_level))
    throw program::UserError("the mesh has too many levels to be numbered; give a smaller --max_level");
  double volumes = 1.0;
  for (int d = 0; d < D; ++d)
    volumes *= mesh.roots[d] * std::pow(R, mesh.coarsest_level) * static_cast<double>(mesh.volumes);
  if (volumes > kMostVolumes)
    throw program::UserError(fmt::format(
        "the mesh begins with {:.3g} volumes; give a smaller --base_level, --roots or --volumes", volumes));
  mesh.regrid_every = request.regrid_freq >= 0 ? request.regrid_freq : 4;
  if (mesh.deepest_level == mesh.coarsest_level) mesh.regrid_every = 0;
  mesh.hanging = request.hanging;
  if (request.scheme == Scheme::muscl_hancock) mesh.limiter = request.limiter.value_or(kDefaultLimiter);
  if (request.cfl > 0.0) mesh.cfl = request.cfl;
  return mesh;
}

template <Equation E, int D, int R>
Setup<E, D, R> setup_of(const ProblemRequest& request, const std::array<int, 3>& aspect, bool is_tube,
                        Case<E, D> (*make)(const ProblemRequest&, double)) {
  const MeshSettings<D> mesh = mesh_of<D, R>(request, aspect, is_tube);
  // The width is relative to a length that only the case knows, so it is made twice.
  const double length = make(request, 1.0).problem.length;
  const double finest = length / (mesh.roots[0] * std::pow(R, mesh.deepest_level) * mesh.volumes);
  const Case<E, D> chosen = make(request, finest);
  const Ball ball = request.ball.value_or(chosen.ball);
  const CriterionKind kind =
      request.criterion.value_or(request.ball ? CriterionKind::ball : chosen.criterion);
  if (!request.jump_option.empty() && kind != CriterionKind::jump)
    throw program::UserError(request.jump_option +
                             " is an option of --criterion jump; give that, or leave it out");
  constexpr bool kHasGamma = requires(E equation) { equation.gamma; };
  if (!kHasGamma && request.gamma != 0.0)
    throw program::UserError("--gamma is an option of problems of a gas, not of " + request.name);
  return {chosen.problem, mesh, make_criterion<D>(kind, request, ball, length),
          request.end > 0.0 ? request.end : chosen.end};
}

}  // namespace detail

/// Returns use(the setup that the request asks for). Errors: throws UserError for what cannot be run.
template <template <int> class E, class Use>
auto with_setup(const Entry<E>& entry, const ProblemRequest& request, const Use& use) {
  using detail::setup_of;
  const bool is_of_two = request.ratio == 2;
  if (request.dim == 2) {
    return is_of_two ? use(setup_of<E<2>, 2, 2>(request, entry.aspect, entry.is_tube, entry.in_2d))
                     : use(setup_of<E<2>, 2, 3>(request, entry.aspect, entry.is_tube, entry.in_2d));
  }
  if constexpr (IsPlanar<E<2>>) {
    throw program::UserError(fmt::format("--problem {} has two dimensions; give --dim 2", entry.info.name));
  } else {
    return is_of_two ? use(setup_of<E<3>, 3, 2>(request, entry.aspect, entry.is_tube, entry.in_3d))
                     : use(setup_of<E<3>, 3, 3>(request, entry.aspect, entry.is_tube, entry.in_3d));
  }
}

template <template <int> class E>
Prepared prepare_entry(const Entry<E>& entry, const ProblemRequest& request, const Machine& machine) {
  return with_setup(entry, request, [&]<Equation F, int D, int R>(const Setup<F, D, R>& setup) -> Prepared {
    return {std::make_unique<Simulation<F, D, R>>(setup.problem, setup.mesh, machine.threads, machine.ranks,
                                                  setup.criterion),
            setup.end};
  });
}

template <template <int> class E>
std::unique_ptr<InitialMesh> initial_mesh_of_entry(const Entry<E>& entry, const ProblemRequest& request,
                                                   int ranks) {
  return with_setup(
      entry, request,
      [&]<Equation F, int D, int R>(const Setup<F, D, R>& setup) -> std::unique_ptr<InitialMesh> {
        return std::make_unique<InitialMeshOf<F, D, R>>(setup.problem, setup.mesh, setup.criterion, ranks);
      });
}

/// Of a list of entries: kEntries() returns it.
template <auto kEntries>
[[nodiscard]] Family family_of() {
  return {[] {
            std::vector<ProblemInfo> infos;
            for (const auto& entry : kEntries()) infos.push_back(entry.info);
            return infos;
          },
          [](const ProblemRequest& request, const Machine& machine) {
            for (const auto& entry : kEntries()) {
              if (entry.info.name == request.name) return prepare_entry(entry, request, machine);
            }
            return Prepared{};
          },
          [](const ProblemRequest& request, int ranks) {
            for (const auto& entry : kEntries()) {
              if (entry.info.name == request.name) return initial_mesh_of_entry(entry, request, ranks);
            }
            return std::unique_ptr<InitialMesh>{};
          }};
}

}  // namespace heddle::wave
