// threadprivate without native thread-local storage: Clang's entry points.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "abi/kmpc/kmpc.hpp"
#include "sync/process_lock.hpp"
#include "sys/fatal.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

using Construct = void* (*)(void*);
using CopyConstruct = void* (*)(void*, void*);
using Destruct = void (*)(void*);

// The copies that threads have, by worker. One that gets too small is replaced, and kept for those who read
// it.
struct Copies {
  explicit Copies(std::size_t size) : of(size) {}
  std::vector<std::atomic<void*>> of;
};

struct Variable {
  Construct construct = nullptr;
  void* (*construct_all)(void*, std::size_t) = nullptr;  // of an array with so many elements
  std::size_t count = 0;
  std::vector<char> initial;  // what stood in the original when a thread asked for the first time
  std::vector<std::unique_ptr<Copies>> all_copies;
  std::atomic<Copies*> copies{nullptr};

  bool has_constructor() const { return construct != nullptr || construct_all != nullptr; }
  void* copy_of_worker(std::size_t id) const {
    const Copies* const now =
        copies.load(std::memory_order_acquire);  // pairs with the release in make_copy()
    return now == nullptr || id >= now->of.size() ? nullptr : now->of[id].load(std::memory_order_relaxed);
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
  Copies* copies = variable.copies.load(std::memory_order_relaxed);
  if (copies == nullptr || id >= copies->of.size()) {
    const std::size_t size = std::max<std::size_t>(2 * id, 8);
    Copies& larger = *variable.all_copies.emplace_back(std::make_unique<Copies>(size));
    for (std::size_t i = 0; copies != nullptr && i < copies->of.size(); ++i)
      larger.of[i].store(copies->of[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    copies = &larger;
  }
  copies->of[id].store(copy, std::memory_order_relaxed);     // its own thread alone reads it
  variable.copies.store(copies, std::memory_order_release);  // pairs with the acquire in copy_of_worker()
  return copy;
}

// The initial thread uses the original. cache: the program's, zero at the start; null where it has none.
void* copy_of(void* original, std::size_t bytes, std::atomic<Variable*>* cache) {
  // acquire: pairs with the release below
  Variable* variable = cache != nullptr ? cache->load(std::memory_order_acquire) : nullptr;
  if (variable == nullptr) {
    variable = &variable_of(original, bytes);
    if (cache != nullptr) cache->store(variable, std::memory_order_release);
  }
  const auto id = static_cast<std::size_t>(this_worker().id);
  if (id == 0) return original;
  void* const copy = variable->copy_of_worker(id);
  return copy != nullptr ? copy : make_copy(*variable, id, bytes);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_threadprivate_register(Ident*, void* original, Construct construct, CopyConstruct,
                                                 Destruct) {
  ThreadPrivates& all = thread_privates();
  const std::lock_guard guard(all.lock);
  all.variables[original].construct = construct;
}

HEDDLE_EXPORT void* __kmpc_threadprivate_cached(Ident*, Gtid, void* original, std::size_t bytes,
                                                void*** cache) {
  return copy_of(original, bytes, reinterpret_cast<std::atomic<Variable*>*>(cache));
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
