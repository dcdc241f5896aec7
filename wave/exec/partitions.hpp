// How the patches of a rank are cut into partitions, contiguous along the curve.
#pragma once

#include <vector>

namespace heddle::wave {

enum class Cut {
  well,  // equal numbers, to within one
  ill,   // half of what is left each, to the last one that has any
};

/// Begins of `partitions` parts of `patches` patches, and the end. partitions: 0 for one a thread.
/// Source: Schulz et al., "Task inefficiency patterns for a wave equation solver", 2021, section 3.
[[nodiscard]] std::vector<int> cut_patches(int patches, int partitions, Cut cut);

}  // namespace heddle::wave
