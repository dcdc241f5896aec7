// Stencil 0: a mixture of kernels whose work differs from variable to variable and from stage to stage.
//
// Words: Q is a quarter of the variables. Class A, B, C, D: v < Q, 2Q, 3Q, 4Q. Variable 0 and those from 4Q
// on use the 7-point average; every other one uses kind `stage mod 6`: pointwise, line along x, y or z,
// weighted 7-point, mixed 27-point; then a clamp.
//
// Invariant: operations happen in exactly the order of the reference and without contraction: the map is
// chaotic, one ulp grows to percents in a few dozen stages. Variables couple, so a block's variables are
// updated in increasing order.
#pragma once

#include <cstdint>
#include <vector>

#include "amr/field/initial_values.hpp"
#include "amr/kernel/workspace.hpp"

namespace heddle::amr {

/// How often the clamp acted: the only operations that depend on the data.
struct ClampCounts {
  std::int64_t above = 0;  // cells divided, being at least 1
  std::int64_t below = 0;  // cells multiplied, being less than 0.1
};

/// All variables of one block with ghosts, z fastest.
class PaddedBlock {
 public:
  PaddedBlock(const Shape& shape, double* memory) : shape_(shape), memory_(memory) {}
  [[nodiscard]] static std::size_t size(const Shape& shape) {
    return static_cast<std::size_t>(shape.nx() + 2) * (shape.ny() + 2) * (shape.nz() + 2);
  }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] std::ptrdiff_t stride(int axis) const {
    return axis == 0 ? static_cast<std::ptrdiff_t>(shape_.ny() + 2) * (shape_.nz() + 2)
                     : (axis == 1 ? shape_.nz() + 2 : 1);
  }
  /// The row (i, j, 0..nz+1) of a variable.
  [[nodiscard]] double* row(int v, int i, int j) const {
    return memory_ + size(shape_) * v + i * stride(0) + j * stride(1);
  }

 private:
  Shape shape_;
  double* memory_;
};

/// Updates variable v of the block. Requires: the variables before it in this stage have been updated.
/// The scratch holds size(shape) doubles.
ClampCounts apply_mixture(const PaddedBlock& block, int v, long long global_stage,
                          const MixtureConstants& constants, double* scratch);

/// Loads a block with its ghosts, updates the variables first..last-1, stores those.
template <class Field>
ClampCounts stencil_mixture(Field& field, int slot, int first, int last, long long global_stage,
                            const MixtureConstants& constants, Workspace& workspace) {
  const Shape& shape = field.shape();
  const std::size_t block_size = PaddedBlock::size(shape);
  const std::size_t plane_size = plane_buffer_size(shape);
  double* memory = workspace.at_least(plane_size + block_size * (shape.num_vars + 1));
  double* blocks = memory + plane_size;
  const PaddedBlock block(shape, blocks);
  const int pitch = padded_pitch(shape.nz());
  for (int v = 0; v < shape.num_vars; ++v) {
    const auto around = field.ghost_planes(slot, v);
    for (int i = 0; i <= shape.nx() + 1; ++i) {
      field.template load_plane<true, 0>(slot, v, i, around, memory, pitch);
      for (int j = 0; j <= shape.ny() + 1; ++j) {
        const double* from = memory + j * pitch + kRowLead - 1;
        double* to = block.row(v, i, j);
        for (int k = 0; k <= shape.nz() + 1; ++k) to[k] = from[k];
      }
    }
  }
  ClampCounts counts;
  for (int v = first; v < last; ++v) {
    const ClampCounts c =
        apply_mixture(block, v, global_stage, constants, blocks + block_size * shape.num_vars);
    counts.above += c.above;
    counts.below += c.below;
    for (int i = 1; i <= shape.nx(); ++i) {
      for (int j = 1; j <= shape.ny(); ++j) {
        const double* from = block.row(v, i, j) + 1;
        double* to = field.row(slot, v, i, j);
        for (int k = 0; k < shape.nz(); ++k) to[k] = from[k];
        field.finish_row(slot, v, i, j, to, 0);
      }
    }
  }
  return counts;
}

}  // namespace heddle::amr
