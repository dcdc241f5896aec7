// The segregated layout: every x-y row of every variable of every block is its own allocation, reached
// through pointers, as in the original code that the paper on tasking in OpenMP describes. It is there to be
// compared with the contiguous layout.
//
// Words: a *row* is the cells (i, j, 0..nz+1).
//
// Invariant: as in contiguous.hpp with ghosts; rows hold their own z ghosts, so there are no skins. z faces
// are gathered and scattered.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "amr/field/shape.hpp"

namespace heddle::amr {

/// A plane whose rows are wherever they are, or, along z, in the caller's scratch.
struct SegregatedPlane {
  const std::unique_ptr<double[]>* rows = nullptr;  // row of a = 1
  std::ptrdiff_t row_step = 0;
  double* scratch = nullptr;
  int n2 = 0;

  [[nodiscard]] double* row(int a) const {
    return scratch != nullptr ? scratch + (a - 1) * n2 : rows[(a - 1) * row_step].get() + 1;
  }
};

class SegregatedField {
 public:
  using Plane = SegregatedPlane;
  static constexpr const char* kName = "segregated";

  explicit SegregatedField(const Shape& shape, Halo /*always ghosts*/ = Halo::ghosts);

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] int acquire() {
    const int slot = reserve();
    clear_ghosts(slot);
    return slot;
  }
  /// The same, its ghosts not zeroed yet: clear_ghosts() does that, on the thread that writes the block
  /// first.
  [[nodiscard]] int reserve();
  /// Threads: distinct slots may be cleared at the same time.
  void clear_ghosts(int slot);
  void release(int slot) { free_.push_back(slot); }
  [[nodiscard]] std::size_t variable_bytes() const;
  [[nodiscard]] std::size_t allocated_bytes() const {
    return slots_.size() * variable_bytes() * shape_.num_vars;
  }
  [[nodiscard]] std::size_t allocations() const { return slots_.size() * rows_per_brick() * shape_.num_vars; }

  [[nodiscard]] double& at(int slot, int v, int i, int j, int k) {
    return rows(slot, v)[i * (shape_.ny() + 2) + j][k];
  }
  [[nodiscard]] double* row(int slot, int v, int i, int j) {
    return rows(slot, v)[i * (shape_.ny() + 2) + j].get() + 1;
  }
  void finish_row(int /*slot*/, int /*v*/, int /*i*/, int /*j*/, const double* /*row*/, int /*generation*/) {}
  void refresh_faces(int /*slot*/, int /*v*/, int /*generation*/) {}

  /// It has ghosts.
  [[nodiscard]] static constexpr bool has_faces() { return false; }
  void hold_planes(std::span<const std::array<int, 2>> /*faces*/) {}
  [[nodiscard]] std::array<const double*, 6> ghost_planes(int /*slot*/, int /*v*/) { return {}; }

  /// Requires: scratch holds nx*ny doubles.
  [[nodiscard]] Plane inner_plane(int slot, int v, int axis, int side, double* scratch, int generation);
  [[nodiscard]] Plane ghost_plane(int slot, int v, int axis, int side, double* scratch);
  void finish_ghost_plane(int slot, int v, int axis, int side, const Plane& plane);
  [[nodiscard]] std::ptrdiff_t next_variable() const { return 0; }

  template <bool kWithEdges, int kNz>
  void load_plane(int slot, int v, int i, const std::array<const double*, 6>& /*around*/, double* buffer,
                  int pitch) {
    const int nz = kNz > 0 ? kNz : shape_.nz();
    for (int j = 0; j <= shape_.ny() + 1; ++j) {
      const double* from = rows(slot, v)[i * (shape_.ny() + 2) + j].get();
      double* to = buffer + j * pitch + kRowLead - 1;
      for (int k = 0; k < nz + 2; ++k) to[k] = from[k];
    }
  }

  /// Nothing: rows are scattered.
  [[nodiscard]] std::span<const double> hot_part(int /*slot*/, int /*v*/) { return {}; }

 private:
  [[nodiscard]] std::size_t rows_per_brick() const {
    return static_cast<std::size_t>(shape_.nx() + 2) * static_cast<std::size_t>(shape_.ny() + 2);
  }
  [[nodiscard]] std::unique_ptr<double[]>* rows(int slot, int v) {
    return slots_[slot].data() + rows_per_brick() * v;
  }
  [[nodiscard]] Plane plane(int slot, int v, int axis, int at, double* scratch);

  Shape shape_;
  std::vector<std::vector<std::unique_ptr<double[]>>> slots_;
  std::vector<int> free_;
};

}  // namespace heddle::amr
