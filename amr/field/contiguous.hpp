// The contiguous layout: one array per block, variable after variable.
//
// Words: a *slot* holds one block. A variable's *brick* is its part of the array: the interior (z fastest, no
// gaps), then the ghost cells face by face, edge by edge, corner by corner, and the *skins*: dense copies of
// the first and last interior plane along z.
//
// Why not rows with a ghost at each end: reading a z face would then touch every cache line of a block. Here
// each face, of either kind, is dense or made of whole interior rows, so that an exchange moves only what it
// must. Measured: 16^3 cells, bytes touched by the exchange of one variable of one block fall from about 90
// kB to 24 kB.
//
// Invariant: every cell (i, j, k), 0 <= i <= nx+1 and so on, has one home, found by at(). Skins equal their
// planes: whoever writes interior cells calls finish_row() or refresh_skins() before anybody reads
// inner_plane(). A slot from acquire() has all ghosts zero.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "amr/field/shape.hpp"

namespace heddle::amr {

/// A dense plane of cells: rows along the second transverse axis.
struct DensePlane {
  double* first = nullptr;  // cell (1, 1)
  std::ptrdiff_t stride = 0;

  /// The cells (a, 1..n2).
  [[nodiscard]] double* row(int a) const { return first + (a - 1) * stride; }
};

class ContiguousField {
 public:
  using Plane = DensePlane;
  static constexpr const char* kName = "contiguous";

  explicit ContiguousField(const Shape& shape);

  [[nodiscard]] const Shape& shape() const { return shape_; }

  /// A slot with zeroed ghosts; its interior is the caller's to write. Slots given back are used again first.
  [[nodiscard]] int acquire() {
    const int slot = reserve();
    clear_ghosts(slot);
    return slot;
  }
  /// The same, its ghosts not zeroed yet: clear_ghosts() does that, on the thread that writes the block
  /// first. Others may use their slots meanwhile. Errors: throws bad_alloc.
  [[nodiscard]] int reserve();
  /// Threads: distinct slots may be cleared at the same time.
  void clear_ghosts(int slot);
  void release(int slot) { free_.push_back(slot); }

  /// Bytes of one variable of one block, for choosing how many go through a cache at a time.
  [[nodiscard]] std::size_t brick_bytes() const { return brick_ * sizeof(double); }
  /// Of the slots in use and of those that were.
  [[nodiscard]] std::size_t allocated_bytes() const { return slots_.size() * slot_bytes_; }
  [[nodiscard]] std::size_t allocations() const { return slabs_.size(); }

  /// Any cell, ghosts included.
  [[nodiscard]] double& at(int slot, int v, int i, int j, int k) {
    const Shape& s = shape_;
    const Region& r = regions_[9 * part(i, s.nx()) + 3 * part(j, s.ny()) + part(k, s.nz())];
    return brick(slot, v)[r.offset + i * r.stride_i + j * r.stride_j + k * r.stride_k];
  }

  /// The interior cells (i, j, 1..nz).
  [[nodiscard]] double* row(int slot, int v, int i, int j) {
    return brick(slot, v) + ((i - 1) * shape_.ny() + (j - 1)) * shape_.nz();
  }
  /// Says that the interior row (i, j) has been written.
  void finish_row(int slot, int v, int i, int j, const double* row) {
    double* skin = brick(slot, v) + skin_[0] + (i - 1) * shape_.ny() + (j - 1);
    skin[0] = row[0];
    skin[skin_[1] - skin_[0]] = row[shape_.nz() - 1];
  }
  void refresh_skins(int slot, int v);
  /// The skin's cells of plane i, for kernels that write them together with the rows.
  [[nodiscard]] double* skin_row(int slot, int v, int side, int i) {
    return brick(slot, v) + skin_[side] + static_cast<std::ptrdiff_t>(i - 1) * shape_.ny();
  }

  /// The interior plane next to a face. The scratch is not used.
  [[nodiscard]] Plane inner_plane(int slot, int v, int axis, int side, double* /*scratch*/) {
    return {brick(slot, v) + inner_[2 * axis + side], inner_stride_[axis]};
  }
  /// The ghost plane beyond a face, transverse 1..n only.
  [[nodiscard]] Plane ghost_plane(int slot, int v, int axis, int side, double* /*scratch*/) {
    return {brick(slot, v) + ghost_[2 * axis + side], ghost_stride_[axis]};
  }
  /// Doubles from a plane's cells to the same cells of the next variable; 0 where they lie anywhere.
  [[nodiscard]] std::ptrdiff_t next_variable() const { return static_cast<std::ptrdiff_t>(brick_); }
  void finish_ghost_plane(int /*slot*/, int /*v*/, int /*axis*/, int /*side*/, const Plane& /*plane*/) {}

  /// Copies the cells (i, 0..ny+1, 0..nz+1) into a padded buffer; without edges, only those that share a face
  /// with the interior, or for the planes outside it, that are transverse 1..n.
  template <bool kWithEdges, int kNz>
  void load_plane(int slot, int v, int i, double* buffer, int pitch);

  /// The memory that a stencil reads first of a variable: interior and face ghosts.
  [[nodiscard]] std::span<const double> hot_part(int slot, int v) {
    return {brick(slot, v), static_cast<std::size_t>(skin_[0])};
  }

  /// Addresses that stand, in dependences, for a variable's interior and for its ghosts beyond the faces of
  /// an axis.
  [[nodiscard]] double* interior_sentinel(int slot, int v) { return brick(slot, v); }
  [[nodiscard]] double* ghost_sentinel(int slot, int v, int axis) {
    return brick(slot, v) + ghost_[2 * axis];
  }

 private:
  struct Region {
    std::ptrdiff_t offset = 0;
    std::ptrdiff_t stride_i = 0;
    std::ptrdiff_t stride_j = 0;
    std::ptrdiff_t stride_k = 0;
  };
  struct Free {
    void operator()(double* memory) const;
  };

  /// 0 inside, 1 below, 2 above.
  [[nodiscard]] static int part(int index, int n) { return index == 0 ? 1 : (index > n ? 2 : 0); }
  [[nodiscard]] double* brick(int slot, int v) {
    return slots_[slot] + static_cast<std::ptrdiff_t>(brick_) * v;
  }

  Shape shape_;
  std::array<Region, 27> regions_{};
  std::array<std::ptrdiff_t, 6> inner_{};
  std::array<std::ptrdiff_t, 6> ghost_{};
  std::array<std::ptrdiff_t, 3> inner_stride_{};
  std::array<std::ptrdiff_t, 3> ghost_stride_{};
  std::array<std::ptrdiff_t, 2> skin_{};
  std::size_t brick_ = 0;  // doubles
  std::size_t slot_bytes_ = 0;
  std::size_t slots_a_slab_ = 1;
  std::vector<std::unique_ptr<double, Free>> slabs_;  // each for as many slots, one behind the other
  std::vector<double*> slots_;  // does not move: tasks look up theirs while another is made
  std::vector<int> free_;
};

template <bool kWithEdges, int kNz>
void ContiguousField::load_plane(int slot, int v, int i, double* __restrict buffer, int pitch) {
  const int ny = shape_.ny();
  const int nz = kNz > 0 ? kNz : shape_.nz();
  const bool is_ghost = i == 0 || i == shape_.nx() + 1;
  const double* from = is_ghost ? brick(slot, v) + ghost_[i == 0 ? 0 : 1] : row(slot, v, i, 1);
  for (int j = 1; j <= ny; ++j) {
    double* __restrict to = buffer + j * pitch + kRowLead;
#pragma omp simd
    for (int k = 0; k < nz; ++k) to[k] = from[k];
    from += nz;
  }
  if (!is_ghost) {
    const double* below = brick(slot, v) + ghost_[4] + (i - 1) * ny - 1;
    const double* above = brick(slot, v) + ghost_[5] + (i - 1) * ny - 1;
    for (int j = 1; j <= ny; ++j) {
      buffer[j * pitch + kRowLead - 1] = below[j];
      buffer[j * pitch + kRowLead + nz] = above[j];
    }
    for (int side = 0; side < 2; ++side) {
      const double* ghosts = brick(slot, v) + ghost_[2 + side] + (i - 1) * nz;
      double* __restrict to = buffer + (side == 0 ? 0 : ny + 1) * pitch + kRowLead;
#pragma omp simd
      for (int k = 0; k < nz; ++k) to[k] = ghosts[k];
    }
  }
  if constexpr (kWithEdges) {
    const int first = is_ghost ? 0 : 1;
    for (int j = 0; j <= ny + 1; ++j) {
      const bool is_rim = j == 0 || j == ny + 1;
      if (!is_rim && first == 1) continue;  // the z ghosts of inner rows are there already
      buffer[j * pitch + kRowLead - 1] = at(slot, v, i, j, 0);
      buffer[j * pitch + kRowLead + nz] = at(slot, v, i, j, nz + 1);
      if (!is_rim || !is_ghost) continue;
      for (int k = 1; k <= nz; ++k) buffer[j * pitch + kRowLead + k - 1] = at(slot, v, i, j, k);
    }
  }
}

}  // namespace heddle::amr
