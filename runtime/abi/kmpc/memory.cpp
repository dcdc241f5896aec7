// The allocate directive and clause, depend objects, and LLVM's own memory routines: Clang's entry points.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "abi/defaults.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "abi/omp/routines.hpp"
#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "sync/process_lock.hpp"
#include "sys/fatal.hpp"

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

// -- threadprivate without native thread-local storage: Clang's entry points.

namespace {

using Constructor = void* (*)(void*);
using CopyConstruct = void* (*)(void*, void*);
using Destruct = void (*)(void*);

// The copies that threads have, by worker. One that gets too small is replaced, and kept for those that read
// it.
struct Copies {
  explicit Copies(std::size_t size) : of(size) {}
  std::vector<RelaxedAtomic<void*>> of;
};

struct Variable {
  Constructor construct = nullptr;
  void* (*construct_all)(void*, std::size_t) = nullptr;  // of an array with so many elements
  std::size_t count = 0;
  std::vector<char> initial;  // what stood in the original when a thread asked for the first time
  std::vector<std::unique_ptr<Copies>> all_copies;
  Published<Copies*> copies{nullptr};

  bool has_constructor() const { return construct != nullptr || construct_all != nullptr; }
  void* copy_of_worker(std::size_t id) const {
    const Copies* const now = copies.seen();
    return now == nullptr || id >= now->of.size() ? nullptr : now->of[id].load();
  }
};

struct ThreadPrivates {
  ProcessLock lock;
  std::unordered_map<void*, Variable> variables;  // by the address of the original; they stay where they are
};

ThreadPrivates& thread_privates() {
  static auto* instance = new ThreadPrivates;  // never destroyed: programs may use it from static destructors
  return *instance;
}

// The initial thread asks before it changes the original, for only here it learns where its own is.
Variable& variable_of(void* original, std::size_t bytes) {
  ThreadPrivates& all = thread_privates();
  const std::lock_guard guard(all.lock);
  Variable& variable = all.variables[original];
  const char* const now = static_cast<const char*>(original);
  if (variable.initial.empty() && !variable.has_constructor()) variable.initial.assign(now, now + bytes);
  return variable;
}

void* make_copy(Variable& variable, std::size_t id, std::size_t bytes) {
  void* const copy = std::calloc(1, bytes);
  if (copy == nullptr) fatal("no memory left for a threadprivate variable of %zu bytes", bytes);
  if (variable.construct != nullptr)
    variable.construct(copy);
  else if (variable.construct_all != nullptr)
    variable.construct_all(copy, variable.count);
  else
    std::memcpy(copy, variable.initial.data(), bytes);
  const std::lock_guard guard(thread_privates().lock);
  Copies* copies = variable.copies;
  if (copies == nullptr || id >= copies->of.size()) {
    const std::size_t size = std::max<std::size_t>(2 * id, 8);
    Copies& larger = *variable.all_copies.emplace_back(std::make_unique<Copies>(size));
    for (std::size_t i = 0; copies != nullptr && i < copies->of.size(); ++i)
      larger.of[i].store(copies->of[i].load());
    copies = &larger;
  }
  copies->of[id].store(copy);  // its own thread alone reads it
  variable.copies = copies;    // seen in copy_of_worker()
  return copy;
}

static_assert(sizeof(Published<Variable*>) == sizeof(void*));
// The initial thread uses the original. cache: the program's, zero at the start; null where it has none.
void* copy_of(void* original, std::size_t bytes, Published<Variable*>* cache) {
  Variable* variable = cache != nullptr ? cache->seen() : nullptr;
  if (variable == nullptr) {
    variable = &variable_of(original, bytes);
    if (cache != nullptr) *cache = variable;
  }
  const auto id = static_cast<std::size_t>(this_worker().id);
  if (id == 0) return original;
  void* const copy = variable->copy_of_worker(id);
  return copy != nullptr ? copy : make_copy(*variable, id, bytes);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_threadprivate_register(Ident*, void* original, Constructor construct, CopyConstruct,
                                                 Destruct) {
  ThreadPrivates& all = thread_privates();
  const std::lock_guard guard(all.lock);
  all.variables[original].construct = construct;
}

HEDDLE_EXPORT void* __kmpc_threadprivate_cached(Ident*, Gtid, void* original, std::size_t bytes,
                                                void*** cache) {
  return copy_of(original, bytes, reinterpret_cast<Published<Variable*>*>(cache));
}

HEDDLE_EXPORT void* __kmpc_threadprivate(Ident*, Gtid, void* original, std::size_t bytes) {
  return copy_of(original, bytes, nullptr);
}

// Arrays of objects: constructed element by element.
HEDDLE_EXPORT void __kmpc_threadprivate_register_vec(Ident*, void* original,
                                                     void* (*construct)(void*, std::size_t), CopyConstruct,
                                                     void (*)(void*, std::size_t), std::size_t count) {
  ThreadPrivates& all = thread_privates();
  const std::lock_guard guard(all.lock);
  Variable& variable = all.variables[original];
  variable.construct_all = construct;
  variable.count = count;
}
