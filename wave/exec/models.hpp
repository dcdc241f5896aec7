// The execution models, by name.
#pragma once

#include <memory>

#include "wave/exec/engine.hpp"
#include "wave/exec/partitions.hpp"

namespace heddle::wave {

/// One thread, patch by patch along the curve.
[[nodiscard]] std::unique_ptr<Model> make_serial();

/// Who executes the partitions of a bulk-synchronous step.
enum class BulkConstruct { taskloop, parallel_for };

/// Bulk-synchronous: one traversal per partition, then all wait. partitions: 0 for one a thread.
/// Source: Schulz et al., "Task inefficiency patterns for a wave equation solver", 2021, section 2, solver 1.
[[nodiscard]] std::unique_ptr<Model> make_bsp(int partitions, Cut cut, BulkConstruct construct);

}  // namespace heddle::wave
