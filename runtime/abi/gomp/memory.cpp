// The allocate directive and clause: GCC's entry points.
#include "abi/default_allocator.hpp"
#include "abi/gomp/gomp.hpp"
#include "sys/fatal.hpp"

using namespace heddle;

// The program uses the result without a look at it, so there is no going on without.
HEDDLE_EXPORT void* GOMP_alloc(std::size_t alignment, std::size_t bytes, std::uintptr_t allocator) {
  void* const block = allocate_from(or_default(allocator), alignment, bytes);
  if (block == nullptr && bytes > 0)
    fatal("no memory for the %zu bytes of a variable with an allocator; raise the allocator's pool_size",
          bytes);
  return block;
}
HEDDLE_EXPORT void GOMP_free(void* block, std::uintptr_t /*allocator*/) {
  free_block(block);
}
