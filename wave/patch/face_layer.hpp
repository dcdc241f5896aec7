// The volumes of a patch that lie along one of its faces, wherever they are kept: in the patch, or in a
// message from another rank.
//
// Words: a volume's *transverse* position is its position but for the face's axis. A *layer* is the N^(D-1)
// volumes next to a face, inside the patch or, as ghosts, outside.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "wave/flux/patch_shape.hpp"

namespace heddle::wave {

template <int D>
using Transverse = std::array<int, static_cast<std::size_t>(D) - 1>;

/// Value: double, or const double.
template <class Value, int D>
struct FaceLayer {
  Value* first = nullptr;
  std::array<std::ptrdiff_t, static_cast<std::size_t>(D) - 1> strides{};  // of the transverse axes
  std::ptrdiff_t plane = 0;                                               // from one unknown to the next

  [[nodiscard]] Value* at(const Transverse<D>& transverse) const {
    Value* place = first;
    for (int d = 0; d < D - 1; ++d) place += transverse[d] * strides[d];
    return place;
  }
  template <std::size_t Unknowns>
  [[nodiscard]] std::array<double, Unknowns> state(const Transverse<D>& transverse) const {
    const Value* const place = at(transverse);
    std::array<double, Unknowns> q;
    for (std::size_t v = 0; v < Unknowns; ++v) q[v] = place[static_cast<std::ptrdiff_t>(v) * plane];
    return q;
  }
  template <std::size_t Unknowns>
  void set_state(const Transverse<D>& transverse, const std::array<double, Unknowns>& q) const {
    Value* const place = at(transverse);
    for (std::size_t v = 0; v < Unknowns; ++v) place[static_cast<std::ptrdiff_t>(v) * plane] = q[v];
  }
};

/// Of a patch's planes: the volumes whose position along the face's axis is `along`; -1 and N are ghosts.
template <int D, class Value>
[[nodiscard]] FaceLayer<Value, D> layer_of_patch(const PatchShape<D>& shape, Value* values, int axis,
                                                 int along) {
  FaceLayer<Value, D> layer;
  layer.first = values + shape.origin() + along * shape.stride(axis);
  layer.plane = shape.plane();
  for (int d = 0, n = 0; d < D; ++d) {
    if (d != axis) layer.strides[n++] = shape.stride(d);
  }
  return layer;
}

/// Inside the patch, next to a face (2 * axis + side).
template <int D, class Value>
[[nodiscard]] FaceLayer<Value, D> inner_layer(const PatchShape<D>& shape, Value* values, int face) {
  return layer_of_patch<D>(shape, values, face / 2, face % 2 == 0 ? 0 : shape.volumes() - 1);
}
/// The ghosts beyond a face.
template <int D, class Value>
[[nodiscard]] FaceLayer<Value, D> ghost_layer(const PatchShape<D>& shape, Value* values, int face) {
  return layer_of_patch<D>(shape, values, face / 2, face % 2 == 0 ? -1 : shape.volumes());
}
/// Where a volume of the layer inside a face is in its patch of so many volumes along each axis.
template <int D>
[[nodiscard]] std::array<int, D> volume_at(int face, const Transverse<D>& transverse, int volumes) {
  std::array<int, D> here{};
  for (int d = 0, n = 0; d < D; ++d)
    here[d] = d == face / 2 ? (face % 2 == 0 ? 0 : volumes - 1) : transverse[n++];
  return here;
}

/// Values by themselves. Shape: [unknown][transverse volume, the first transverse axis fastest].
template <int D, class Value>
[[nodiscard]] FaceLayer<Value, D> dense_layer(const PatchShape<D>& shape, Value* values) {
  FaceLayer<Value, D> layer{values, {}, shape.face_volumes()};
  for (int d = 0, stride = 1; d < D - 1; ++d, stride *= shape.volumes()) layer.strides[d] = stride;
  return layer;
}

/// volumes: along each transverse axis.
template <int D>
void copy_layer(const FaceLayer<const double, D>& from, const FaceLayer<double, D>& to, int volumes,
                int unknowns) {
  const int rows = D == 3 ? volumes : 1;
  for (int v = 0; v < unknowns; ++v) {
    for (int j = 0; j < rows; ++j) {
      const double* const source = from.first + v * from.plane + j * from.strides[D - 2];
      double* const target = to.first + v * to.plane + j * to.strides[D - 2];
      const std::ptrdiff_t read = from.strides[0], write = to.strides[0];
      if (read == 1 && write == 1) {
        std::copy_n(source, volumes, target);
      } else {
        for (int i = 0; i < volumes; ++i) target[i * write] = source[i * read];
      }
    }
  }
}

}  // namespace heddle::wave
