// threadprivate without native thread-local storage: Clang's entry points.
#include <cstdlib>
#include <cstring>
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

struct Variable {
  Construct construct = nullptr;
  void* (*construct_all)(void*, std::size_t) = nullptr;  // of an array with so many elements
  std::size_t count = 0;
  std::vector<void*> copies;  // by worker
};

struct ThreadPrivates {
  ProcessLock lock;
  std::unordered_map<void*, Variable> variables;  // by the address of the original
};

ThreadPrivates& thread_privates() {
  static auto* instance = new ThreadPrivates;  // never destroyed: programs may use it from static destructors
  return *instance;
}

// The initial thread uses the original; the others get a copy of it as it was when they first asked.
void* copy_of(void* original, std::size_t bytes) {
  const auto id = static_cast<std::size_t>(this_worker().id);
  if (id == 0) return original;
  ThreadPrivates& all = thread_privates();
  const std::lock_guard guard(all.lock);
  Variable& variable = all.variables[original];
  if (variable.copies.size() <= id) variable.copies.resize(id + 1);
  void*& copy = variable.copies[id];
  if (copy == nullptr) {
    copy = std::calloc(1, bytes);
    if (copy == nullptr) fatal("no memory left for a threadprivate variable of %zu bytes", bytes);
    if (variable.construct != nullptr)
      variable.construct(copy);
    else if (variable.construct_all != nullptr)
      variable.construct_all(copy, variable.count);
    else
      std::memcpy(copy, original, bytes);
  }
  return copy;
}

}  // namespace

HEDDLE_EXPORT void __kmpc_threadprivate_register(Ident*, void* original, Construct construct, CopyConstruct,
                                                 Destruct) {
  ThreadPrivates& all = thread_privates();
  const std::lock_guard guard(all.lock);
  all.variables[original].construct = construct;
}

HEDDLE_EXPORT void* __kmpc_threadprivate_cached(Ident*, Gtid, void* original, std::size_t bytes,
                                                void*** /*cache*/) {
  return copy_of(original, bytes);
}

HEDDLE_EXPORT void* __kmpc_threadprivate(Ident*, Gtid, void* original, std::size_t bytes) {
  return copy_of(original, bytes);
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
