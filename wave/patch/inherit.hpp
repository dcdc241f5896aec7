// What patches become when the mesh changes: children have their parent's values, a parent has its children's
// means.
//
// Invariant: a child's volume has the value of the coarse volume that it lies in, a parent's the mean of its
// R^D fine ones. Both keep the sum of every unknown, for any number of volumes, and constants to the bit.
#pragma once

#include <span>

#include "wave/patch/halo.hpp"

namespace heddle::wave {

/// child: which one, axis 0 fastest.
template <Equation E, int D, int R>
void fill_child(const Patches<E, D>& patches, const double* parent, double* into, int child) {
  const int n = patches.shape().volumes();
  for_each_volume<D>(n, [&](const std::array<int, D>& fine) {
    std::array<int, D> coarse{};
    int digits = child;
    for (int d = 0; d < D; ++d, digits /= R) coarse[d] = (digits % R * n + fine[d]) / R;
    patches.set_volume(into, patches.shape().at(fine), patches.volume(parent, patches.shape().at(coarse)));
  });
}

/// children: axis 0 fastest.
template <Equation E, int D, int R>
void fill_parent(const Patches<E, D>& patches, std::span<const double* const> children, double* into) {
  const int n = patches.shape().volumes();
  for_each_volume<D>(n, [&](const std::array<int, D>& coarse) {
    Mean<E::kUnknowns> mean;
    for_each_volume<D>(R, [&](const std::array<int, D>& part) {
      std::array<int, D> fine{};
      int child = 0;
      for (int d = D - 1; d >= 0; --d) {
        const int along = R * coarse[d] + part[d];
        child = R * child + along / n;
        fine[d] = along % n;
      }
      mean.add(patches.volume(children[static_cast<std::size_t>(child)], patches.shape().at(fine)));
    });
    patches.set_volume(into, patches.shape().at(coarse), mean.value());
  });
}

}  // namespace heddle::wave
