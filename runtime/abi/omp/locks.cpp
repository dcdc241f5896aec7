// Locks: OpenMP 5.2, section 18.9. GCC gives a simple lock 4 bytes and a nestable one 16, LLVM 8 and 8: what
// is here needs 4 and 8.
#include <new>

#include "abi/omp/export.hpp"
#include "sync/futex_lock.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

// Owned by the thread: a task stays on its thread from start to end.
struct NestLock {
  std::atomic<std::uint16_t> owner_plus_one{0};
  std::uint16_t depth = 0;
  FutexLock lock;
};
static_assert(sizeof(NestLock) == 8);

std::uint16_t my_mark() {
  return static_cast<std::uint16_t>(this_worker().id + 1);
}

FutexLock& simple(void* lock) {
  return *static_cast<FutexLock*>(lock);
}
NestLock& nested(void* lock) {
  return *static_cast<NestLock*>(lock);
}

bool take_again(NestLock& lock) {
  if (lock.owner_plus_one.load(std::memory_order_relaxed) != my_mark()) return false;
  ++lock.depth;
  return true;
}
void take_first(NestLock& lock) {
  lock.owner_plus_one.store(my_mark(), std::memory_order_relaxed);
  lock.depth = 1;
}

}  // namespace

HEDDLE_EXPORT void omp_init_lock(void* lock) {
  new (lock) FutexLock;
}
HEDDLE_EXPORT void omp_init_lock_with_hint(void* lock, int /*hint*/) {
  new (lock) FutexLock;
}
HEDDLE_EXPORT void omp_destroy_lock(void*) {}
HEDDLE_EXPORT void omp_set_lock(void* lock) {
  simple(lock).lock();
}
HEDDLE_EXPORT void omp_unset_lock(void* lock) {
  simple(lock).unlock();
}
HEDDLE_EXPORT int omp_test_lock(void* lock) {
  return simple(lock).try_lock();
}

HEDDLE_EXPORT void omp_init_nest_lock(void* lock) {
  new (lock) NestLock;
}
HEDDLE_EXPORT void omp_init_nest_lock_with_hint(void* lock, int /*hint*/) {
  new (lock) NestLock;
}
HEDDLE_EXPORT void omp_destroy_nest_lock(void*) {}
HEDDLE_EXPORT void omp_set_nest_lock(void* lock) {
  if (take_again(nested(lock))) return;
  nested(lock).lock.lock();
  take_first(nested(lock));
}
HEDDLE_EXPORT void omp_unset_nest_lock(void* lock) {
  NestLock& l = nested(lock);
  if (--l.depth != 0) return;
  l.owner_plus_one.store(0, std::memory_order_relaxed);
  l.lock.unlock();
}
HEDDLE_EXPORT int omp_test_nest_lock(void* lock) {
  NestLock& l = nested(lock);
  if (take_again(l)) return l.depth;
  if (!l.lock.try_lock()) return 0;
  take_first(l);
  return 1;
}

HEDDLE_OMP_VERSIONS(omp_init_lock);
HEDDLE_OMP_VERSIONS(omp_destroy_lock);
HEDDLE_OMP_VERSIONS(omp_set_lock);
HEDDLE_OMP_VERSIONS(omp_unset_lock);
HEDDLE_OMP_VERSIONS(omp_test_lock);
HEDDLE_OMP_VERSIONS(omp_init_nest_lock);
HEDDLE_OMP_VERSIONS(omp_destroy_nest_lock);
HEDDLE_OMP_VERSIONS(omp_set_nest_lock);
HEDDLE_OMP_VERSIONS(omp_unset_nest_lock);
HEDDLE_OMP_VERSIONS(omp_test_nest_lock);
