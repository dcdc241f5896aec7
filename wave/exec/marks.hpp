// What patches would like to be when the mesh may change, before neighbours have a say.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh/balance.hpp"
#include "wave/exec/problem.hpp"
#include "wave/patch/patches.hpp"

namespace heddle::wave {

/// The greatest relative jump of unknown 0 between two volumes of a patch that share a face. values: of a
/// copy.
template <int D>
[[nodiscard]] double largest_jump(const PatchShape<D>& shape, const double* values) {
  double largest = 0.0;
  for_each_volume<D>(shape.volumes(), [&](const std::array<int, D>& volume) {
    const std::ptrdiff_t at = shape.at(volume);
    for (int d = 0; d < D; ++d) {
      if (volume[d] == 0) continue;
      const double here = values[at], below = values[at - shape.stride(d)];
      const double scale = std::abs(here) + std::abs(below);
      if (scale > 0.0) largest = std::max(largest, std::abs(here - below) / scale);
    }
  });
  return largest;
}

/// What is asked of marks: the problem's own wish at the start, the criterion, and the mesh's levels.
template <Equation E, int D, int R>
struct MarkRule {
  const Problem<E, D>& problem;
  const MeshSettings<D>& settings;
  const Criterion<D>& criterion;  // may be empty
  const Lattice<D, R>& lattice;

  /// Of a part's own leaves; those of others are the lowest. jump_of(patch): its largest_jump().
  template <class JumpOf>
  [[nodiscard]] mesh::Marks marks(const mesh::Part<D, R>& part, double time, bool is_start,
                                  const JumpOf& jump_of) const {
    // Of other ranks' leaves nothing is known yet: their owners raise what is too low.
    mesh::Marks marks(static_cast<std::size_t>(part.size()), mesh::Mark::coarsen);
    for (int patch = 0; patch < part.own(); ++patch)
      marks[static_cast<std::size_t>(patch)] =
          mark(part.leaf(patch).id, time, is_start, [&] { return jump_of(patch); });
    // Children of which one is refined itself stay.
    for (const auto& family : part.families()) {
      if (family.all_leaves) continue;
      for (const int leaf : family.child) {
        if (leaf < 0) continue;
        mesh::Mark& mark = marks[static_cast<std::size_t>(leaf)];
        mark = std::max(mark, mesh::Mark::stay);
      }
    }
    return marks;
  }

 private:
  template <class Jump>
  [[nodiscard]] mesh::Mark mark(const mesh::BlockId<D>& id, double time, bool is_start,
                                const Jump& jump) const {
    if (id.level < settings.coarsest_level) return mesh::Mark::refine;
    const auto box = lattice.box(id);
    const bool must_be_fine =
        is_start && problem.is_fine_at_start && problem.is_fine_at_start(box.low, box.high);
    if (!criterion && !must_be_fine) return mesh::Mark::stay;
    const mesh::Mark mark =
        must_be_fine ? mesh::Mark::refine : criterion(box.low, box.high, id.level, time, jump());
    if (mark == mesh::Mark::refine && id.level == settings.deepest_level) return mesh::Mark::stay;
    if (mark == mesh::Mark::coarsen && id.level <= settings.coarsest_level) return mesh::Mark::stay;
    return mark;
  }
};

}  // namespace heddle::wave
