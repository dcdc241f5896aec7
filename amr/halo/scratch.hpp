// Room for planes that a layout has to gather. One per thread.
#pragma once

#include <algorithm>

#include "amr/field/shape.hpp"
#include "amr/kernel/workspace.hpp"

namespace heddle::amr {

struct HaloScratch {
  double* from = nullptr;
  double* to = nullptr;
};

/// Of the calling thread; each part holds the largest plane of a block.
[[nodiscard]] inline HaloScratch halo_scratch(const Shape& shape) {
  thread_local Workspace mine;
  const auto [nx, ny, nz] = shape.cells;
  const auto plane = static_cast<std::size_t>(std::max({nx * ny, ny * nz, nx * nz}));
  double* memory = mine.at_least(2 * plane);
  return {memory, memory + plane};
}

}  // namespace heddle::amr
