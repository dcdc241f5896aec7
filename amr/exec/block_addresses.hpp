// What stands for a block in depend clauses, where a task reads or writes all of it (phase_tasks.hpp has the
// words).
#pragma once

#include <utility>
#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/field/octree.hpp"

namespace heddle::amr {

class BlockAddresses {
 public:
  /// sentinels: the variables whose addresses stand for the chunks of all variables.
  BlockAddresses(ContiguousField& field, std::vector<int> sentinels)
      : field_(field), sentinels_(std::move(sentinels)) {}

  [[nodiscard]] const std::vector<int>& sentinels() const { return sentinels_; }

  /// For who reads a block's values: its interior, and ghosts where those are values of their own.
  void add_values(int slot, std::vector<double*>& to) const {
    for (const int v : sentinels_) {
      to.push_back(field_.interior_sentinel(slot, v));
      if (field_.shape().keeps_ghosts) add_ghosts(slot, v, to);
    }
  }
  /// For who writes a block, whatever it held before: its faces and ghosts, too.
  void add_all(int slot, std::vector<double*>& to) const {
    for (const int v : sentinels_) {
      to.push_back(field_.interior_sentinel(slot, v));
      add_ghosts(slot, v, to);
      if (!field_.has_faces()) continue;
      for (int generation = 0; generation < 2; ++generation)
        to.push_back(field_.face_sentinel(slot, v, generation));
    }
  }

 private:
  void add_ghosts(int slot, int v, std::vector<double*>& to) const {
    const int axes = field_.has_faces() ? 1 : kAxes;  // one stands for all
    for (int axis = 0; axis < axes; ++axis) to.push_back(field_.ghost_sentinel(slot, v, axis));
  }

  ContiguousField& field_;
  std::vector<int> sentinels_;
};

}  // namespace heddle::amr
