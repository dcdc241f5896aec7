// What patches become when the mesh changes: children have their parent's values, a parent has its children's
// means.
//
// Invariant: a parent's volume has the mean of the R^D fine ones that lie in it, these have its value, or in
// the second order scheme values on a plane through it. So the sum of every unknown stays, for any number of
// volumes, and constants stay to the bit.
#pragma once

#include <optional>
#include <span>

#include "wave/flux/limiter.hpp"
#include "wave/patch/halo.hpp"

namespace heddle::wave {

/// Calls visit(child, axis 0 fastest; its volume; where that is among the R^D) for those in a coarse volume.
template <int D, int R, class Visit>
void for_each_fine_within(const std::array<int, D>& coarse, int volumes, Visit&& visit) {
  for_each_volume<D>(R, [&](const std::array<int, D>& part) {
    std::array<int, D> fine{};
    int child = 0;
    for (int d = D - 1; d >= 0; --d) {
      const int along = R * coarse[d] + part[d];
      child = R * child + along / volumes;
      fine[d] = along % volumes;
    }
    visit(child, fine, part);
  });
}

/// limiter: of slopes, which are those within the patch, and none across its faces nor where a value on the
/// plane would be no state; without one fine volumes have the coarse one's value. children: axis 0 fastest.
template <Equation E, int D, int R>
void fill_children(const Patches<E, D>& patches, const E& equation, std::optional<Limiter> limiter,
                   const double* parent, std::span<double* const> children) {
  const PatchShape<D>& shape = patches.shape();
  const int n = shape.volumes();
  for_each_volume<D>(n, [&](const std::array<int, D>& coarse) {
    const std::ptrdiff_t at = shape.at(coarse);
    const State<E> here = patches.volume(parent, at);
    std::array<State<E>, D> slopes{};
    const auto on_plane = [&](const std::array<int, D>& part) {
      State<E> q = here;
      for (int d = 0; d < D; ++d) {
        const double offset = (part[d] + 0.5) / R - 0.5;
        for (int v = 0; v < E::kUnknowns; ++v) q[v] += offset * slopes[d][v];
      }
      return q;
    };
    if (limiter) {
      for (int d = 0; d < D; ++d) {
        if (coarse[d] == 0 || coarse[d] == n - 1) continue;
        const State<E> below = patches.volume(parent, at - shape.stride(d)),
                       above = patches.volume(parent, at + shape.stride(d));
        for (int v = 0; v < E::kUnknowns; ++v) slopes[d][v] = slope(*limiter, below[v], here[v], above[v]);
      }
      bool are_states = true;
      for_each_volume<D>(R, [&](const std::array<int, D>& part) {
        State<E> f;
        are_states &= !is_no_number(equation.flux(on_plane(part), 0, f));
      });
      if (!are_states) slopes = {};
    }
    for_each_fine_within<D, R>(coarse, n, [&](int child, const auto& fine, const auto& part) {
      patches.set_volume(children[static_cast<std::size_t>(child)], shape.at(fine), on_plane(part));
    });
  });
}

/// children: axis 0 fastest.
template <Equation E, int D, int R>
void fill_parent(const Patches<E, D>& patches, std::span<const double* const> children, double* into) {
  const int n = patches.shape().volumes();
  for_each_volume<D>(n, [&](const std::array<int, D>& coarse) {
    Mean<E::kUnknowns> mean;
    for_each_fine_within<D, R>(coarse, n, [&](int child, const auto& fine, const auto&) {
      mean.add(patches.volume(children[static_cast<std::size_t>(child)], patches.shape().at(fine)));
    });
    patches.set_volume(into, patches.shape().at(coarse), mean.value());
  });
}

}  // namespace heddle::wave
