// The allocate and allocators directives and the allocate clause: GCC's entry points.
#include <mutex>
#include <unordered_set>

#include "abi/defaults.hpp"
#include "abi/gomp/gomp.hpp"
#include "sync/process_lock.hpp"
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

// From GCC 14 on: which allocatable variables of Fortran have memory of an allocator. Where one is
// deallocated or changes its size the compiled code asks for it, and adds what it has got anew.
namespace {

struct Allocatables {
  ProcessLock lock;
  std::unordered_set<void*> blocks;
};

// It outlives the destructors of the program's own objects.
Allocatables& allocatables() {
  static auto* const all = new Allocatables;
  return *all;
}

}  // namespace

HEDDLE_EXPORT void GOMP_add_alloc(void* block) {
  const std::scoped_lock guard(allocatables().lock);
  allocatables().blocks.insert(block);
}
HEDDLE_EXPORT bool GOMP_is_alloc(void* block) {
  const std::scoped_lock guard(allocatables().lock);
  return allocatables().blocks.erase(block) > 0;
}
