// What a block takes along to another rank: the interior cells of all its variables, and its ghosts where
// they are values of their own (Shape::keeps_ghosts).
#pragma once

#include <algorithm>
#include <span>

#include "amr/field/octree.hpp"
#include "amr/field/shape.hpp"
#include "exchange/migration.hpp"
#include "program/range.hpp"

namespace heddle::amr {

using exchange::BlockMove;

/// An exchange::CarriesBlocks.
template <class Field>
class BlockCarrier {
 public:
  /// generation: of the faces that come with a block.
  BlockCarrier(Field& field, int generation) : field_(field), generation_(generation) {}

  [[nodiscard]] std::size_t doubles() const {
    std::size_t all = 1;
    for (const int n : field_.shape().kept()) all *= static_cast<std::size_t>(n);
    return all;
  }
  [[nodiscard]] int take() { return field_.reserve(); }
  void give_back(int slot) { field_.release(slot); }

  void pack(int slot, std::span<double> into) {
    const program::Range range("pack a block");
    double* to = into.data();
    for (int v = 0; v < field_.shape().num_vars; ++v) {
      if (field_.shape().keeps_ghosts)
        for_cells([&](int i, int j, int k) { *to++ = field_.at(slot, v, i, j, k); });
      else
        for_rows([&](int i, int j) { to = std::copy_n(field_.row(slot, v, i, j), field_.shape().nz(), to); });
    }
  }
  void unpack(int slot, std::span<const double> from) {
    const program::Range range("unpack a block");
    field_.clear_ghosts(slot);
    const double* next = from.data();
    for (int v = 0; v < field_.shape().num_vars; ++v) {
      if (field_.shape().keeps_ghosts) {
        for_cells([&](int i, int j, int k) { field_.at(slot, v, i, j, k) = *next++; });
      } else {
        for_rows([&](int i, int j) {
          std::copy_n(next, field_.shape().nz(), field_.row(slot, v, i, j));
          next += field_.shape().nz();
        });
      }
      field_.refresh_faces(slot, v, generation_);
    }
  }

 private:
  template <class Visit>
  void for_rows(Visit&& visit) const {
    for (int i = 1; i <= field_.shape().nx(); ++i) {
      for (int j = 1; j <= field_.shape().ny(); ++j) visit(i, j);
    }
  }
  /// With ghosts.
  template <class Visit>
  void for_cells(Visit&& visit) const {
    const Shape& s = field_.shape();
    for (int i = 0; i <= s.nx() + 1; ++i) {
      for (int j = 0; j <= s.ny() + 1; ++j) {
        for (int k = 0; k <= s.nz() + 1; ++k) visit(i, j, k);
      }
    }
  }

  Field& field_;
  int generation_;
};

}  // namespace heddle::amr
