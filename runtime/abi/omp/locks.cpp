// Locks: OpenMP 5.2, section 18.9. GCC gives a simple lock 4 bytes and a nestable one 16, LLVM 8 and 8: what
// is here needs 4 and 8.
#include <atomic>
#include <cstdint>
#include <new>

#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "suspend/locks.hpp"
#include "team/team.hpp"
#include "team/tool_events.hpp"

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
  return reinterpret_cast<std::uint64_t>(this_member().context.task);
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
    forget_owner(lock);  // of what was here before
}

void init_simple(void* lock, int hint, CallSite where) {
  begin_anew(lock);
  new (lock) FutexLock;
  if (has_tool()) [[unlikely]]
    tell_lock_init(ompt_mutex_lock, static_cast<unsigned>(hint), lock, where);
}
void init_nested(void* lock, int hint, CallSite where) {
  begin_anew(lock);
  new (lock) NestLock;
  if (has_tool()) [[unlikely]]
    tell_lock_init(ompt_mutex_nest_lock, static_cast<unsigned>(hint), lock, where);
}

}  // namespace

HEDDLE_EXPORT void omp_init_lock(void* lock) {
  init_simple(lock, 0, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_init_lock_with_hint(void* lock, int hint) {
  init_simple(lock, hint, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_destroy_lock(void* lock) {
  if (has_tool()) [[unlikely]]
    tell_lock_destroy(ompt_mutex_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_set_lock(void* lock) {
  take_and_tell(ompt_mutex_lock, lock, HEDDLE_CALL_SITE(), [lock] { lock_in_task(simple(lock)); });
}
HEDDLE_EXPORT void omp_unset_lock(void* lock) {
  unlock_in_task(simple(lock));
  if (has_tool()) [[unlikely]]
    tell_mutex_released(ompt_mutex_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT int omp_test_lock(void* lock) {
  if (has_tool()) [[unlikely]]
    tell_mutex_acquire(this_member(), ompt_mutex_test_lock, lock, HEDDLE_CALL_SITE());
  if (!simple(lock).try_lock()) return 0;
  if (has_tool()) [[unlikely]]
    tell_mutex_acquired(this_member(), ompt_mutex_test_lock, lock, HEDDLE_CALL_SITE());
  if (has_watchdog()) [[unlikely]]
    remember_owner(lock, __builtin_return_address(0));
  return 1;
}

namespace {
// times: how often its task holds it now.
void tell_taken(void* lock, ompt_mutex_t kind, int times, CallSite where) {
  if (times == 1)
    tell_mutex_acquired(this_member(), kind, lock, where);
  else
    tell_nest_lock(ompt_scope_begin, lock, where);
}
}  // namespace

HEDDLE_EXPORT void omp_init_nest_lock(void* lock) {
  init_nested(lock, 0, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_init_nest_lock_with_hint(void* lock, int hint) {
  init_nested(lock, hint, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_destroy_nest_lock(void* lock) {
  if (has_tool()) [[unlikely]]
    tell_lock_destroy(ompt_mutex_nest_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_set_nest_lock(void* lock) {
  if (has_tool()) [[unlikely]]
    tell_mutex_acquire(this_member(), ompt_mutex_nest_lock, lock, HEDDLE_CALL_SITE());
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
    remember_owner(lock, __builtin_return_address(0));
  if (has_tool()) [[unlikely]]
    tell_taken(lock, ompt_mutex_nest_lock, times, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_unset_nest_lock(void* lock) {
  std::atomic<std::uint64_t>& state = nested(lock).state;
  const std::uint64_t held = state.load(std::memory_order_relaxed);
  if (held / kOnce <= 1 && has_watchdog()) [[unlikely]]
    forget_owner(lock);
  state.store(held / kOnce > 1 ? held - kOnce : 0, std::memory_order_release);
  if (!has_tool()) [[likely]]
    return;
  if (held / kOnce > 1)
    tell_nest_lock(ompt_scope_end, lock, HEDDLE_CALL_SITE());
  else
    tell_mutex_released(ompt_mutex_nest_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT int omp_test_nest_lock(void* lock) {
  if (has_tool()) [[unlikely]]
    tell_mutex_acquire(this_member(), ompt_mutex_test_nest_lock, lock, HEDDLE_CALL_SITE());
  const int times = try_take(nested(lock), owner_mark());
  if (times == 1 && has_watchdog()) [[unlikely]]
    remember_owner(lock, __builtin_return_address(0));
  if (times > 0 && has_tool()) [[unlikely]]
    tell_taken(lock, ompt_mutex_test_nest_lock, times, HEDDLE_CALL_SITE());
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
