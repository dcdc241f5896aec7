// Allocators as OMP_ALLOCATOR spells them: OpenMP 5.2, section 21.5.1.
//
// Three forms: a predefined allocator, a space, or a space with traits, as in
// "omp_large_cap_mem_space:alignment=64,fallback=null_fb".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mem/allocator.hpp"

namespace heddle {

struct AllocatorText {
  AllocatorHandle predefined = kNullAllocator;  // or, if that is null, what to make:
  MemorySpace space = MemorySpace::kDefault;
  std::vector<Trait> traits;
};

/// Returns nothing where the text is in none of the three forms.
std::optional<AllocatorText> parse_allocator(std::string_view text);

/// The allocator the text asks for, made if need be; kNullAllocator where it cannot be had.
AllocatorHandle make_allocator(const AllocatorText& text);

/// The names of the predefined allocators: for messages that say what would have been right.
std::string allocator_names();

}  // namespace heddle
