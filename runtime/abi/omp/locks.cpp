// Locks: OpenMP 5.2, section 18.9. GCC gives a simple lock 4 bytes and a nestable one 16, LLVM 8 and 8: what
// is here needs 4 and 8.
#include <atomic>
#include <cstdint>
#include <new>

#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "suspend/lock_wait.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

// Owned by a task (OpenMP 5.2, section 18.9): its address in the lower 48 bits, how often it is held above.
// Zero is free. Under contention a thread yields the processor; nestable locks are too rare to deserve a
// queue.
struct NestLock {
  std::atomic<std::uint64_t> state{0};
};
static_assert(sizeof(NestLock) == 8);
constexpr std::uint64_t kOnce = std::uint64_t{1} << 48;

FutexLock& simple(void* lock) {
  return *static_cast<FutexLock*>(lock);
}
NestLock& nested(void* lock) {
  return *static_cast<NestLock*>(lock);
}

std::uint64_t owner_mark() {
  return reinterpret_cast<std::uint64_t>(this_member().current);
}

/// Returns how often the current task holds the lock now, 0 where another task does.
int try_take(NestLock& lock, std::uint64_t mark) {
  std::uint64_t state = lock.state.load(std::memory_order_relaxed);
  if ((state & (kOnce - 1)) == mark) {
    lock.state.store(state + kOnce, std::memory_order_relaxed);  // ours: nobody else writes it
    return static_cast<int>((state + kOnce) / kOnce);
  }
  state = 0;
  // acquire: pairs with the release in omp_unset_nest_lock()
  return lock.state.compare_exchange_strong(state, mark + kOnce, std::memory_order_acquire,
                                            std::memory_order_relaxed);
}

// A program may begin with a lock: its owner is to be known from then on, if ever.
void begin_anew(const void* lock) {
  this_worker();
  if (has_watchdog()) [[unlikely]]
    forget_lock(lock);  // of what was here before
}

}  // namespace

HEDDLE_EXPORT void omp_init_lock(void* lock) {
  begin_anew(lock);
  new (lock) FutexLock;
}
HEDDLE_EXPORT void omp_init_lock_with_hint(void* lock, int /*hint*/) {
  omp_init_lock(lock);
}
HEDDLE_EXPORT void omp_destroy_lock(void*) {}
HEDDLE_EXPORT void omp_set_lock(void* lock) {
  lock_in_task(simple(lock));
}
HEDDLE_EXPORT void omp_unset_lock(void* lock) {
  unlock_in_task(simple(lock));
}
HEDDLE_EXPORT int omp_test_lock(void* lock) {
  if (!simple(lock).try_lock()) return 0;
  if (has_watchdog()) [[unlikely]]
    note_lock(lock, __builtin_return_address(0));
  return 1;
}

HEDDLE_EXPORT void omp_init_nest_lock(void* lock) {
  begin_anew(lock);
  new (lock) NestLock;
}
HEDDLE_EXPORT void omp_init_nest_lock_with_hint(void* lock, int /*hint*/) {
  omp_init_nest_lock(lock);
}
HEDDLE_EXPORT void omp_destroy_nest_lock(void*) {}
HEDDLE_EXPORT void omp_set_nest_lock(void* lock) {
  int times = try_take(nested(lock), owner_mark());
  if (times == 0) {
    const auto try_it = [](void* wanted) { return try_take(nested(wanted), owner_mark()) != 0; };
    if (has_suspended_tasks())
      wait_suspended_for_lock(lock, try_it);
    else
      wait_for_lock(lock, try_it);
    times = 1;
  }
  if (times == 1 && has_watchdog()) [[unlikely]]
    note_lock(lock, __builtin_return_address(0));
}
HEDDLE_EXPORT void omp_unset_nest_lock(void* lock) {
  std::atomic<std::uint64_t>& state = nested(lock).state;
  const std::uint64_t held = state.load(std::memory_order_relaxed);
  if (held / kOnce <= 1 && has_watchdog()) [[unlikely]]
    forget_lock(lock);
  state.store(held / kOnce > 1 ? held - kOnce : 0, std::memory_order_release);
}
HEDDLE_EXPORT int omp_test_nest_lock(void* lock) {
  const int times = try_take(nested(lock), owner_mark());
  if (times == 1 && has_watchdog()) [[unlikely]]
    note_lock(lock, __builtin_return_address(0));
  return times;
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
