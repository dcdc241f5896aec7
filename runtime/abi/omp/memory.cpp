// Memory management: OpenMP 5.2, section 18.13.
#include "abi/default_allocator.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "team/team.hpp"

using namespace heddle;

HEDDLE_EXPORT std::uintptr_t omp_init_allocator(std::uintptr_t space, int count, const void* traits) {
  if (count < 0 || (count > 0 && traits == nullptr)) return kNullAllocator;
  return make_allocator(space, {static_cast<const Trait*>(traits), static_cast<std::size_t>(count)});
}
HEDDLE_EXPORT void omp_destroy_allocator(std::uintptr_t allocator) {
  destroy_allocator(allocator);
}
HEDDLE_EXPORT void omp_set_default_allocator(std::uintptr_t allocator) {
  change_environment(this_member(), [&](DataEnvironment& e) {
    e.allocator = allocator != kNullAllocator ? allocator : kDefaultAllocator;
  });
}
HEDDLE_EXPORT std::uintptr_t omp_get_default_allocator() {
  return environment_of(this_member()).allocator;
}

HEDDLE_EXPORT void* omp_alloc(std::size_t bytes, std::uintptr_t allocator) {
  return allocate_from(or_default(allocator), 1, bytes);
}
HEDDLE_EXPORT void* omp_aligned_alloc(std::size_t alignment, std::size_t bytes, std::uintptr_t allocator) {
  return allocate_from(or_default(allocator), alignment, bytes);
}
HEDDLE_EXPORT void* omp_calloc(std::size_t count, std::size_t bytes, std::uintptr_t allocator) {
  return allocate_zeroed_from(or_default(allocator), 1, count, bytes);
}
HEDDLE_EXPORT void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t bytes,
                                       std::uintptr_t allocator) {
  return allocate_zeroed_from(or_default(allocator), alignment, count, bytes);
}

// Where no new allocator is named, the block stays with the one that it names or has.
HEDDLE_EXPORT void* omp_realloc(void* block, std::size_t bytes, std::uintptr_t allocator,
                                std::uintptr_t free_allocator) {
  if (block == nullptr) return allocate_from(or_default(allocator), 1, bytes);
  return reallocate_from(allocator != kNullAllocator ? allocator : free_allocator, block, bytes);
}
HEDDLE_EXPORT void omp_free(void* block, std::uintptr_t /*allocator*/) {
  free_block(block);
}

HEDDLE_OMP_VERSIONS(omp_init_allocator);
HEDDLE_OMP_VERSIONS(omp_destroy_allocator);
HEDDLE_OMP_VERSIONS(omp_set_default_allocator);
HEDDLE_OMP_VERSIONS(omp_get_default_allocator);
HEDDLE_OMP_VERSIONS(omp_alloc);
HEDDLE_OMP_VERSIONS(omp_aligned_alloc);
HEDDLE_OMP_VERSIONS(omp_calloc);
HEDDLE_OMP_VERSIONS(omp_aligned_calloc);
HEDDLE_OMP_VERSIONS(omp_realloc);
HEDDLE_OMP_VERSIONS(omp_free);
