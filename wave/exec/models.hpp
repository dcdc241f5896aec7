// The execution models, by name.
#pragma once

#include <memory>
#include <vector>

#include "wave/exec/engine.hpp"

namespace heddle::wave {

/// One thread, patch by patch along the curve.
[[nodiscard]] std::unique_ptr<Model> make_serial();

/// How the patches are cut into partitions, contiguous along the curve.
enum class Cut {
  well,  // equal numbers, to within one
  ill,   // half of what is left each, to the last one that has any
};
/// Begins of `partitions` parts of `patches` patches, and the end.
[[nodiscard]] std::vector<int> cut_patches(int patches, int partitions, Cut cut);

/// Who executes the partitions of a bulk-synchronous step.
enum class BulkConstruct { taskloop, parallel_for };

/// Bulk-synchronous: one traversal per partition, then all wait. partitions: 0 for one a thread.
/// Source: Schulz et al., "Task inefficiency patterns for a wave equation solver", 2021, section 2, solver 1.
[[nodiscard]] std::unique_ptr<Model> make_bsp(int partitions, Cut cut, BulkConstruct construct);

}  // namespace heddle::wave
