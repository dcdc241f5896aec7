// Nominal floating-point operations, as the report of the reference counts them: fixed figures per cell, not
// the arithmetic done.
#pragma once

#include "amr/kernel/stencil_mixture.hpp"

namespace heddle::amr {

struct OperationCounts {
  double adds = 0.0;
  double muls = 0.0;
  double divides = 0.0;

  OperationCounts& operator+=(const OperationCounts& other);
  [[nodiscard]] OperationCounts operator*(double times) const;
  [[nodiscard]] double total() const { return adds + muls + divides; }
};

/// Per interior cell of variable v in this stage, without the clamp.
[[nodiscard]] OperationCounts operations_per_cell(int stencil, int v, int num_vars, long long global_stage);
[[nodiscard]] OperationCounts clamp_operations(const ClampCounts& counts);

}  // namespace heddle::amr
