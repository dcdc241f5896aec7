// What a block takes along to another rank: the interior cells of all its variables. Ghosts are not sent.
#pragma once

#include <algorithm>
#include <span>

#include "amr/field/octree.hpp"
#include "exchange/migration.hpp"
#include "program/range.hpp"

namespace heddle::amr {

using exchange::BlockMove;

/// An exchange::CarriesBlocks.
template <class Field>
class BlockCarrier {
 public:
  explicit BlockCarrier(Field& field) : field_(field) {}

  [[nodiscard]] std::size_t doubles() const {
    return field_.shape().interior_cells() * static_cast<std::size_t>(field_.shape().num_vars);
  }
  [[nodiscard]] int take() { return field_.reserve(); }
  void give_back(int slot) { field_.release(slot); }

  void pack(int slot, std::span<double> into) {
    const program::Range range("pack a block");
    const auto& s = field_.shape();
    double* to = into.data();
    for (int v = 0; v < s.num_vars; ++v) {
      for (int i = 1; i <= s.nx(); ++i) {
        for (int j = 1; j <= s.ny(); ++j) to = std::copy_n(field_.row(slot, v, i, j), s.nz(), to);
      }
    }
  }
  void unpack(int slot, std::span<const double> from) {
    const program::Range range("unpack a block");
    field_.clear_ghosts(slot);
    const auto& s = field_.shape();
    const double* next = from.data();
    for (int v = 0; v < s.num_vars; ++v) {
      for (int i = 1; i <= s.nx(); ++i) {
        for (int j = 1; j <= s.ny(); ++j, next += s.nz())
          std::copy_n(next, s.nz(), field_.row(slot, v, i, j));
      }
      field_.refresh_faces(slot, v);
    }
  }

 private:
  Field& field_;
};

}  // namespace heddle::amr
