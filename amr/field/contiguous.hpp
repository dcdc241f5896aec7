// The contiguous layout: one array per block, variable after variable.
//
// Words: a *slot* holds one block. A variable's *brick* is its part of the array: the interior (z fastest, no
// gaps), and with *ghosts* the ghost cells face by face, edge by edge, corner by corner, and the *skins*:
// dense copies of the first and last interior plane along z. With *faces* there are no ghosts in it: behind
// the bricks stand dense copies of all six outer planes, face by face, and in each variable after variable,
// in two *generations*. A stencil reads those of one generation around a block, and writes the other of its
// own.
//
// Why not rows with a ghost at each end: reading a z face would then touch every cache line of a block. Here
// each face, of either kind, is dense or made of whole interior rows, so that an exchange moves only what it
// must. Measured: 16^3 cells, bytes touched by the exchange of one variable of one block fall from about 90
// kB to 24 kB. With faces nothing is exchanged: exchange and stencil of 216 blocks of 40 variables take 0.71
// of what they take with ghosts. (Faces between the bricks: 0.87.)
//
// Invariant: every cell (i, j, k), 0 <= i <= nx+1 and so on, or with faces every interior cell, has one home,
// found by at(). Skins, and faces of the next stage's generation, equal their planes: whoever writes interior
// cells calls finish_row() or refresh_faces() before anybody reads inner_plane(). A slot from acquire() has
// all ghosts zero.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <utility>
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

  explicit ContiguousField(const Shape& shape, Halo halo = Halo::ghosts);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool has_faces() const { return has_faces_; }

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
  [[nodiscard]] std::size_t variable_bytes() const { return brick_ * sizeof(double); }
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
  /// Says that the interior row (i, j) has been written; of which generation the faces are (0 or 1; skins
  /// have one).
  void finish_row(int slot, int v, int i, int j, const double* row, int generation) {
    const Shape& s = shape_;
    const std::ptrdiff_t in_plane = static_cast<std::ptrdiff_t>(i - 1) * s.ny() + (j - 1);
    face(slot, v, 4, generation)[in_plane] = row[0];
    face(slot, v, 5, generation)[in_plane] = row[s.nz() - 1];
    if (!has_faces_) return;
    const auto copy = [&](int number, int at) {
      std::memcpy(face(slot, v, number, generation) + static_cast<std::ptrdiff_t>(at - 1) * s.nz(), row,
                  sizeof(double) * static_cast<std::size_t>(s.nz()));
    };
    if (i == 1) copy(0, j);
    if (i == s.nx()) copy(1, j);
    if (j == 1) copy(2, i);
    if (j == s.ny()) copy(3, i);
  }
  /// The same of all rows.
  void refresh_faces(int slot, int v, int generation);

  /// A face's cells (1, 1) and on, row by row without gaps, for kernels that write them together with the
  /// rows: number is 2 * axis + side. Without faces: of the z axis alone, the skins.
  [[nodiscard]] double* face(int slot, int v, int number, int generation) {
    return slots_[slot] + face_[generation][number] + face_step_[number / 2] * v;
  }

  /// The interior plane next to a face, with faces as it was when that generation was written. The scratch is
  /// not used.
  [[nodiscard]] Plane inner_plane(int slot, int v, int axis, int side, double* /*scratch*/, int generation) {
    if (has_faces_ || axis == 2) return {face(slot, v, 2 * axis + side, generation), ghost_stride_[axis]};
    return {brick(slot, v) + inner_[2 * axis + side], inner_stride_[axis]};
  }
  /// The ghost plane beyond a face, transverse 1..n only. Requires: with faces, hold_planes() named it.
  [[nodiscard]] Plane ghost_plane(int slot, int v, int axis, int side, double* /*scratch*/) {
    const int number = 2 * axis + side;
    if (has_faces_)
      return {held_[kFacesOfABlock * static_cast<std::size_t>(slot) + number] + face_step_[axis] * v,
              ghost_stride_[axis]};
    return {brick(slot, v) + ghost_[number], ghost_stride_[axis]};
  }
  /// With faces: memory for what other ranks send of these faces (slot and number), on the mesh that is next.
  /// A face that had some keeps it; what is held for no face any more is given away by the next call but one.
  /// Requires: it has faces; tasks may use planes of the mesh before this one, but of none earlier.
  void hold_planes(std::span<const std::array<int, 2>> faces);
  /// Doubles from a plane's cells to the same cells of the next variable; 0 where they lie anywhere.
  [[nodiscard]] std::ptrdiff_t next_variable() const { return static_cast<std::ptrdiff_t>(brick_); }
  void finish_ghost_plane(int /*slot*/, int /*v*/, int /*axis*/, int /*side*/, const Plane& /*plane*/) {}

  /// The ghosts beyond a block's faces, of one variable, by number of the face; planes without gaps.
  /// Requires: it has ghosts.
  [[nodiscard]] std::array<const double*, 6> ghost_planes(int slot, int v) {
    std::array<const double*, 6> planes;
    for (std::size_t n = 0; n < planes.size(); ++n) planes[n] = brick(slot, v) + ghost_[n];
    return planes;
  }

  /// Copies the cells (i, 0..ny+1, 0..nz+1) into a padded buffer; without edges, only those that share a face
  /// with the interior, or for the planes outside it, that are transverse 1..n. around: what lies beyond the
  /// faces, as of ghost_planes(). With edges: requires that these are the ghosts.
  template <bool kWithEdges, int kNz>
  void load_plane(int slot, int v, int i, const std::array<const double*, 6>& around, double* buffer,
                  int pitch);

  /// The memory that a stencil reads first of a variable: interior and face ghosts.
  [[nodiscard]] std::span<const double> hot_part(int slot, int v) {
    return {brick(slot, v), has_faces_ ? brick_ : static_cast<std::size_t>(ghost_end_)};
  }

  /// Addresses that stand, in dependences, for a variable's interior, for its faces of a generation, and for
  /// what lies beyond the faces of an axis (with faces: of all axes, and what other ranks send).
  [[nodiscard]] double* interior_sentinel(int slot, int v) { return brick(slot, v); }
  [[nodiscard]] double* face_sentinel(int slot, int v, int generation) {
    return face(slot, v, 0, generation);
  }
  [[nodiscard]] double* ghost_sentinel(int slot, int v, int axis) {
    return has_faces_ ? brick(slot, v) + 1 : brick(slot, v) + ghost_[2 * axis];
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

  void place_cells();
  void place_faces();

  static constexpr std::size_t kFacesOfABlock = 6;

  Shape shape_;
  bool has_faces_;
  std::array<Region, 27> regions_{};
  std::array<std::ptrdiff_t, 6> inner_{};  // from a brick's begin
  std::array<std::ptrdiff_t, 6> ghost_{};  // likewise
  std::ptrdiff_t ghost_end_ = 0;
  std::array<std::ptrdiff_t, 3> inner_stride_{};
  std::array<std::ptrdiff_t, 3> ghost_stride_{};
  std::array<std::array<std::ptrdiff_t, 6>, 2> face_{};  // [generation][number], from a slot's begin
  std::array<std::ptrdiff_t, 3> face_step_{};            // by axis: to the next variable's
  std::size_t brick_ = 0;                                // doubles
  // What other ranks send, all variables of a face: in use, left with the mesh before, and free, by axis.
  using Planes = std::unique_ptr<double[]>;
  std::map<std::array<int, 2>, Planes> held_planes_;  // by slot and number
  std::vector<std::pair<std::array<int, 2>, Planes>> left_planes_;
  std::array<std::vector<Planes>, 3> free_planes_;
  std::vector<double*> held_;  // [slot][number]: where they are; it does not move
  std::size_t slot_bytes_ = 0;
  std::size_t slots_a_slab_ = 1;
  std::vector<std::unique_ptr<double, Free>> slabs_;  // each for as many slots, one behind the other
  std::vector<double*> slots_;  // does not move: tasks look up theirs while another is made
  std::vector<int> free_;
};

template <bool kWithEdges, int kNz>
void ContiguousField::load_plane(int slot, int v, int i, const std::array<const double*, 6>& around,
                                 double* __restrict buffer, int pitch) {
  const int ny = shape_.ny();
  const int nz = kNz > 0 ? kNz : shape_.nz();
  const bool is_ghost = i == 0 || i == shape_.nx() + 1;
  const double* from = is_ghost ? around[i == 0 ? 0 : 1] : row(slot, v, i, 1);
  for (int j = 1; j <= ny; ++j) {
    double* __restrict to = buffer + j * pitch + kRowLead;
#pragma omp simd
    for (int k = 0; k < nz; ++k) to[k] = from[k];
    from += nz;
  }
  if (!is_ghost) {
    const double* below = around[4] + (i - 1) * ny - 1;
    const double* above = around[5] + (i - 1) * ny - 1;
    for (int j = 1; j <= ny; ++j) {
      buffer[j * pitch + kRowLead - 1] = below[j];
      buffer[j * pitch + kRowLead + nz] = above[j];
    }
    for (int side = 0; side < 2; ++side) {
      const double* ghosts = around[2 + side] + (i - 1) * nz;
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
