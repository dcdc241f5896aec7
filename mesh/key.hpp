// What every rank knows of every leaf: 16 bytes.
#pragma once

#include <cstdint>

namespace heddle::mesh {

/// Which leaf, and who has it. Its place along the curve and its level say where it lies (Geometry::block()).
struct Key {
  std::int64_t place = 0;
  std::int32_t owner = 0;  // a rank
  std::int32_t level = 0;

  bool operator==(const Key&) const = default;
};
static_assert(sizeof(Key) == 16);

}  // namespace heddle::mesh
