#include "amr/kernel/operation_counts.hpp"

namespace heddle::amr {

OperationCounts& OperationCounts::operator+=(const OperationCounts& other) {
  adds += other.adds;
  muls += other.muls;
  divides += other.divides;
  return *this;
}

OperationCounts OperationCounts::operator*(double times) const {
  return {adds * times, muls * times, divides * times};
}

OperationCounts operations_per_cell(int stencil, int v, int num_vars, long long global_stage) {
  const int q = num_vars / 4;
  if (stencil == 27) return {26, 0, 1};
  if (stencil == 7 || v == 0 || v >= 4 * q) return {6, 0, 1};
  const int cls = v / q;
  const double all = q;
  switch (global_stage % 6) {
    case 0:
      if (v == 1) return {all, all, 0};
      if (cls == 0) return {3, 2, 0};
      if (cls == 1) return {3, 3, 1};
      if (cls == 2) return {4, 3, 1};
      return {6, 6, 1};
    case 1:
    case 2:
    case 3:
      if (v == 1) return {all + 1, all, 1};
      if (cls == 0) return {4, 2, 1};
      return {12, 3, 1};
    case 4:
      return {7, 8, 1};
    default:
      return {27, 0, 1};
  }
}

OperationCounts clamp_operations(const ClampCounts& counts) {
  const auto above = static_cast<double>(counts.above);
  const auto below = static_cast<double>(counts.below);
  return {2 * above + below, below, above};
}

}  // namespace heddle::amr
