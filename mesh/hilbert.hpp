// Hilbert's curve through a three-dimensional mesh of ratio 2: another order of blocks, for partitions.
//
// Words: an *octant* is one of a block's eight children, bits 0, 1, 2 its halves along x, y, z. The curve
// within a block has an *orientation*: the octant that it starts in, and the axis along which the octant that
// it ends in differs from that. A *place* counts the smallest blocks along the curve.
//
// Invariant: the curve visits all blocks below one without a gap, and in a cube of a power of two of roots
// goes from each block to one that shares a face with it.
//
// Source: the reference's orders of roots and octants, which its authors' --hilbert and --trunc_hilbert have.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/block_tree.hpp"

namespace heddle::mesh {

/// How the curve goes through the roots.
enum class HilbertRoots {
  whole,      // --hilbert: cubes of a power of two, as large as divide the mesh, one after the other
  truncated,  // --trunc_hilbert: that of the smallest cube around the mesh, with gaps where there are no
              // roots
};

class Hilbert {
 public:
  Hilbert(const Geometry<3, 2>& geometry, HilbertRoots roots);

  /// Along the curve, counted in blocks of the deepest level.
  [[nodiscard]] std::int64_t place(const BlockId<3>& block) const;

  struct Orientation {
    int axis = 0;
    int start = 0;

    /// The octant that is visited n-th.
    [[nodiscard]] int octant(int n) const;
    /// Within that octant.
    [[nodiscard]] Orientation within(int n) const;
  };

 private:
  struct Root {
    std::int64_t number = 0;  // along the curve
    Orientation orientation;
  };

  /// Goes through a cube of 2^exponent roots at `corner`, counting those that the mesh has.
  void visit(std::array<int, 3> corner, int exponent, Orientation orientation);
  void visit_cubes();

  Geometry<3, 2> geometry_;
  std::int64_t visited_ = 0;
  std::vector<Root> roots_;  // by block number
};

}  // namespace heddle::mesh
