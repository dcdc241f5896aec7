// Locks of programs that GCC before 4.4 built: the same names under the node OMP_1.0, where OpenMP 2.5 had
// threads, not tasks, own locks. A simple lock has 4 bytes then as now. A nestable one has two words of 4
// bytes, aligned no better, in which the lock of today does not fit.
#include <atomic>
#include <cstdint>

#include "abi/omp/routines.hpp"
#include "suspend/locks.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

// Zero is free. Its owner alone reads and writes the count.
struct ThreadLock {
  std::atomic<std::int32_t> owner;
  std::int32_t times;
};
static_assert(sizeof(ThreadLock) == 8 && alignof(ThreadLock) == 4);

ThreadLock& lock_at(void* lock) {
  return *static_cast<ThreadLock*>(lock);
}

// Returns how often the calling thread holds the lock now, 0 where another one does.
int try_take(ThreadLock& lock) {
  const auto me = static_cast<std::int32_t>(this_worker().id) + 1;
  std::int32_t free = 0;
  if (lock.owner.load(std::memory_order_relaxed) == me) return ++lock.times;
  // acquire: pairs with the release in unset_nested()
  if (!lock.owner.compare_exchange_strong(free, me, std::memory_order_acquire, std::memory_order_relaxed))
    return 0;
  return lock.times = 1;
}

}  // namespace

extern "C" {

void heddle_init_nested_25(void* lock) {
  new (lock) ThreadLock{};
}
void heddle_destroy_nested_25(void* /*lock*/) {}
void heddle_set_nested_25(void* lock) {
  if (try_take(lock_at(lock)) == 0)
    wait_for_lock(lock, [](void* wanted) { return try_take(lock_at(wanted)) != 0; });
}
void heddle_unset_nested_25(void* lock) {
  ThreadLock& held = lock_at(lock);
  if (--held.times == 0) held.owner.store(0, std::memory_order_release);
}
int heddle_test_nested_25(void* lock) {
  return try_take(lock_at(lock));
}

void heddle_init_simple_25(void* lock) {
  omp_init_lock(lock);
}
void heddle_destroy_simple_25(void* lock) {
  omp_destroy_lock(lock);
}
void heddle_set_simple_25(void* lock) {
  omp_set_lock(lock);
}
void heddle_unset_simple_25(void* lock) {
  omp_unset_lock(lock);
}
int heddle_test_simple_25(void* lock) {
  return omp_test_lock(lock);
}
}

// Fortran passes an integer by reference: the same address.
#define HEDDLE_LOCK_25(routine, name)                                                            \
  extern "C" [[gnu::visibility("default"), gnu::alias(#routine)]] decltype(routine) routine##_c, \
      routine##_f;                                                                               \
  __asm__(".symver " #routine "_c," #name "@OMP_1.0, remove");                                   \
  __asm__(".symver " #routine "_f," #name "_@OMP_1.0, remove")

HEDDLE_LOCK_25(heddle_init_simple_25, omp_init_lock);
HEDDLE_LOCK_25(heddle_destroy_simple_25, omp_destroy_lock);
HEDDLE_LOCK_25(heddle_set_simple_25, omp_set_lock);
HEDDLE_LOCK_25(heddle_unset_simple_25, omp_unset_lock);
HEDDLE_LOCK_25(heddle_test_simple_25, omp_test_lock);
HEDDLE_LOCK_25(heddle_init_nested_25, omp_init_nest_lock);
HEDDLE_LOCK_25(heddle_destroy_nested_25, omp_destroy_nest_lock);
HEDDLE_LOCK_25(heddle_set_nested_25, omp_set_nest_lock);
HEDDLE_LOCK_25(heddle_unset_nested_25, omp_unset_nest_lock);
HEDDLE_LOCK_25(heddle_test_nested_25, omp_test_nest_lock);
