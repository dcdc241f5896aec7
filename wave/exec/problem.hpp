// What is computed: an equation, a domain and what it holds at the start.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "mesh/balance.hpp"
#include "wave/exec/patch_mesh.hpp"

namespace heddle::wave {

template <Equation E, int D>
struct Problem {
  E equation{};
  /// Length of the domain along axis 0; volumes are cubes.
  double length = 1.0;
  std::array<bool, D> is_periodic{};
  /// Face 2 * axis + side of the domain, where the axis is not periodic.
  std::array<Boundary, 2 * static_cast<std::size_t>(D)> boundaries{};
  std::function<State<E>(const Position<D>&)> initial;
  /// Whether a patch between these corners has to be as fine as can be at the start, whatever the criterion
  /// says: where it is finer than coarse volumes can see. May be empty.
  std::function<bool(const Position<D>& low, const Position<D>& high)> is_fine_at_start;
  /// At a position and a time: what lies beyond prescribed boundaries. May be empty without such.
  std::function<State<E>(const Position<D>&, double)> outside;
  /// The solution at a position and a time after the start. Empty where it is not known.
  std::function<State<E>(const Position<D>&, double)> exact;
};

/// The mesh, how it follows the solution, and how the solution is advanced on it.
template <int D>
struct MeshSettings {
  std::array<int, D> roots{};
  int volumes = 63;        // of a patch, along each axis
  int coarsest_level = 0;  // roots are refined so far before anything else, and never joined beyond it
  int deepest_level = 0;
  int regrid_every = 0;  // steps; 0: the mesh stays as it is at the start
  HangingFlux hanging = HangingFlux::from_fine;
  double cfl = 0.9 / D;
  /// Of the second order scheme (flux/muscl_hancock.hpp); none: first order (flux/rusanov.hpp).
  std::optional<Limiter> limiter;
};

template <int R, Equation E, int D>
[[nodiscard]] mesh::Geometry<D, R> geometry_of(const Problem<E, D>& problem,
                                               const MeshSettings<D>& settings) {
  return {settings.roots,
          settings.deepest_level,
          {R == 3 ? mesh::Curve::peano : mesh::Curve::morton, problem.is_periodic}};
}

/// Gives a patch's volumes the initial state. values: of a copy.
template <Equation E, int D, int R>
void fill_initially(const Problem<E, D>& problem, const Lattice<D, R>& lattice, const mesh::BlockId<D>& id,
                    const Patches<E, D>& patches, double* values) {
  for_each_volume<D>(patches.shape().volumes(), [&](const std::array<int, D>& volume) {
    patches.set_volume(values, patches.shape().at(volume), problem.initial(lattice.centre(id, volume)));
  });
}

/// What a patch would like to be: looked at when the mesh may change. Arguments: the least and greatest
/// corner of the patch, its level, the time, and the greatest relative jump of unknown 0 between two of its
/// volumes.
template <int D>
using Criterion = std::function<mesh::Mark(const Position<D>& low, const Position<D>& high, int level,
                                           double time, double jump)>;

}  // namespace heddle::wave
