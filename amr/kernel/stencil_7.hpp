// The 7-point average, in place.
//
// Jacobi: each cell becomes the mean of its old value and its six neighbours' old values, added in the order
// -x, -y, -z, centre, +z, +y, +x and divided by 7. Old values survive in three rolling plane buffers, so
// there is no second array: a block is read once and written once.
#pragma once

#include <array>
#include <span>

#include "amr/kernel/divide.hpp"
#include "amr/kernel/workspace.hpp"

namespace heddle::amr {

/// What lies beyond a block's faces, by number of the face, and the generation of faces that its own cells go
/// to.
struct Surroundings {
  std::array<const double*, 6> planes{};
  int next_generation = 0;
};

/// One plane: reads the old planes below, here and above, writes the interior rows of plane i.
template <int kNz, class Field>
void stencil_7_plane(Field& field, int slot, int v, int i, const double* below, const double* here,
                     const double* above, int pitch, int generation) {
  const int nz = kNz > 0 ? kNz : field.shape().nz();
  const int ny = field.shape().ny();
  for (int j = 1; j <= ny; ++j) {
    const std::ptrdiff_t at = j * pitch + kRowLead;
    const double* __restrict c = here + at;
    const double* __restrict xm = below + at;
    const double* __restrict xp = above + at;
    const double* __restrict ym = c - pitch;
    const double* __restrict yp = c + pitch;
    double* __restrict out = field.row(slot, v, i, j);
#pragma omp simd
    for (int k = 0; k < nz; ++k) {
      out[k] = divided_by<7>(xm[k] + ym[k] + c[k - 1] + c[k] + c[k + 1] + yp[k] + xp[k]);
    }
    field.finish_row(slot, v, i, j, out, generation);
  }
}

/// Asks for one of `parts` equal parts of a brick that will be needed soon.
/// Measured (16^3 cells, 200 blocks, 40 variables, one core): bricks are too short for the hardware to
/// prefetch well on its own.
inline void prefetch_part(std::span<const double> brick, int part, int parts) {
  constexpr std::size_t kLine = 64 / sizeof(double);
  const std::size_t end = brick.size() * (part + 1) / parts;
  for (std::size_t n = brick.size() * part / parts / kLine * kLine; n < end; n += kLine) {
    __builtin_prefetch(brick.data() + n, 0, 2);
  }
}

/// next: what the caller will work on after this, prefetched meanwhile; may be empty.
template <int kNz, class Field>
void stencil_7(Field& field, int slot, int v, const Surroundings& around, std::span<const double> next,
               Workspace& workspace) {
  const Shape& shape = field.shape();
  const int pitch = padded_pitch(shape.nz());
  const std::size_t size = plane_buffer_size(shape);
  double* buffer = workspace.at_least(3 * size);
  std::array<double*, 3> plane{buffer, buffer + size, buffer + 2 * size};
  field.template load_plane<false, kNz>(slot, v, 0, around.planes, plane[0], pitch);
  field.template load_plane<false, kNz>(slot, v, 1, around.planes, plane[1], pitch);
  for (int i = 1; i <= shape.nx(); ++i) {
    prefetch_part(next, i - 1, shape.nx());
    field.template load_plane<false, kNz>(slot, v, i + 1, around.planes, plane[2], pitch);
    stencil_7_plane<kNz>(field, slot, v, i, plane[0], plane[1], plane[2], pitch, around.next_generation);
    plane = {plane[1], plane[2], plane[0]};
  }
}

}  // namespace heddle::amr
