// The allocate directive and clause, depend objects, and LLVM's own memory routines: Clang's entry points.
#include <cstdlib>

#include "abi/default_allocator.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "abi/omp/routines.hpp"

using namespace heddle;
using namespace heddle::kmpc;

HEDDLE_EXPORT void* __kmpc_alloc(Gtid, std::size_t bytes, std::uintptr_t allocator) {
  return allocate_from(or_default(allocator), 1, bytes);
}
HEDDLE_EXPORT void* __kmpc_aligned_alloc(Gtid, std::size_t alignment, std::size_t bytes,
                                         std::uintptr_t allocator) {
  return allocate_from(or_default(allocator), alignment, bytes);
}
HEDDLE_EXPORT void* __kmpc_calloc(Gtid, std::size_t count, std::size_t bytes, std::uintptr_t allocator) {
  return allocate_zeroed_from(or_default(allocator), 1, count, bytes);
}
HEDDLE_EXPORT void* __kmpc_realloc(Gtid, void* block, std::size_t bytes, std::uintptr_t allocator,
                                   std::uintptr_t free_allocator) {
  return omp_realloc(block, bytes, allocator, free_allocator);
}
HEDDLE_EXPORT void __kmpc_free(Gtid, void* block, std::uintptr_t /*allocator*/) {
  free_block(block);
}

HEDDLE_EXPORT std::uintptr_t __kmpc_init_allocator(Gtid, std::uintptr_t space, std::int32_t count,
                                                   const void* traits) {
  return omp_init_allocator(space, count, traits);
}
HEDDLE_EXPORT void __kmpc_destroy_allocator(Gtid, std::uintptr_t allocator) {
  omp_destroy_allocator(allocator);
}
HEDDLE_EXPORT void __kmpc_set_default_allocator(Gtid, std::uintptr_t allocator) {
  omp_set_default_allocator(allocator);
}
HEDDLE_EXPORT std::uintptr_t __kmpc_get_default_allocator(Gtid) {
  return omp_get_default_allocator();
}

// The C library's memory under other names: it is as ready for threads as any of ours.
#define HEDDLE_MEMORY_ROUTINES(prefix)                                                   \
  HEDDLE_EXPORT void* prefix##malloc(std::size_t bytes) {                                \
    return std::malloc(bytes);                                                           \
  }                                                                                      \
  HEDDLE_EXPORT void* prefix##aligned_malloc(std::size_t bytes, std::size_t alignment) { \
    void* block = nullptr;                                                               \
    if (alignment < sizeof(void*)) alignment = sizeof(void*);                            \
    return posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;              \
  }                                                                                      \
  HEDDLE_EXPORT void* prefix##calloc(std::size_t count, std::size_t bytes) {             \
    return std::calloc(count, bytes);                                                    \
  }                                                                                      \
  HEDDLE_EXPORT void* prefix##realloc(void* block, std::size_t bytes) {                  \
    return std::realloc(block, bytes);                                                   \
  }                                                                                      \
  HEDDLE_EXPORT void prefix##free(void* block) {                                         \
    std::free(block);                                                                    \
  }

HEDDLE_MEMORY_ROUTINES(kmp_)
HEDDLE_MEMORY_ROUTINES(kmpc_)
