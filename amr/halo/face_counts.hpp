// How many faces an exchange of the whole mesh treats, as the reference counts them.
#pragma once

#include <array>

#include "amr/field/octree.hpp"

namespace heddle::amr {

/// Of one axis: each side of a face counts, and each subface where the levels differ.
struct FaceCounts {
  long long same = 0;
  long long different = 0;
  long long boundary = 0;

  FaceCounts& operator+=(const FaceCounts& other) {
    same += other.same;
    different += other.different;
    boundary += other.boundary;
    return *this;
  }
};

[[nodiscard]] inline std::array<FaceCounts, kAxes> count_faces(const TransferPlan& plan) {
  std::array<FaceCounts, kAxes> counts{};
  for (const Transfer& transfer : plan.all()) {
    FaceCounts& of_axis = counts[transfer.face / 2];
    if (transfer.is_remote()) continue;
    switch (transfer.op) {
      case TransferOperator::boundary:
        ++of_axis.boundary;
        break;
      case TransferOperator::same_level:
        ++of_axis.same;
        break;
      case TransferOperator::from_coarse:
      case TransferOperator::from_fine:
        ++of_axis.different;
        break;
    }
  }
  return counts;
}

}  // namespace heddle::amr
