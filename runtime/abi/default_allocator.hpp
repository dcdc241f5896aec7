// Which allocator a null handle stands for: def-allocator-var of the current task (OpenMP 5.2, section 2.4).
#pragma once

#include "mem/allocator.hpp"
#include "team/team.hpp"

namespace heddle {

inline AllocatorHandle or_default(AllocatorHandle allocator) {
  return allocator != kNullAllocator ? allocator : environment_of(this_member()).allocator;
}

}  // namespace heddle
