// Which volumes lie across from each other where patches of two levels touch.
//
// Words: a *subface* is one of the R^(D-1) parts of a coarse patch's face, each of which a fine patch covers;
// first transverse axis fastest. Any number of volumes will do, also one that R does not divide.
#pragma once

#include "wave/patch/face_layer.hpp"
#include "wave/patch/patches.hpp"

namespace heddle::wave {

/// The coarse volume across from a fine one of this subface.
template <int D, int R>
[[nodiscard]] Transverse<D> coarse_across(Transverse<D> fine, int subface, int volumes) {
  for (int& at : fine) {
    at = (subface % R * volumes + at) / R;
    subface /= R;
  }
  return fine;
}

/// Calls visit(subface, volume) for the R^(D-1) fine volumes across from a coarse one, in a fixed order.
template <int D, int R, class Visit>
void for_each_fine_across(const Transverse<D>& coarse, int volumes, Visit&& visit) {
  for_each_volume<D - 1>(R, [&](const Transverse<D>& child) {
    Transverse<D> fine{};
    int subface = 0;
    for (int d = D - 2; d >= 0; --d) {
      const int on_face = R * coarse[d] + child[d];
      subface = R * subface + on_face / volumes;
      fine[d] = on_face % volumes;
    }
    visit(subface, fine);
  });
}

}  // namespace heddle::wave
