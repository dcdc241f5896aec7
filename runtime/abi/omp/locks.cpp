// Locks: OpenMP 5.2, section 18.9. GCC gives a simple lock 4 bytes and a nestable one 16, LLVM 8 and 8: what
// is here needs 4 and 8.
#include <cstdint>
#include <new>

#include "abi/omp/export.hpp"
#include "abi/omp/fortran.hpp"
#include "abi/omp/routines.hpp"
#include "suspend/locks.hpp"
#include "sync/nest_lock.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

using namespace heddle;

namespace {

FutexLock& simple(void* lock) {
  return *static_cast<FutexLock*>(lock);
}
NestLock<>& nested(void* lock) {
  return *static_cast<NestLock<>*>(lock);
}

std::uint64_t owner_mark() {
  return reinterpret_cast<std::uint64_t>(this_member().context.task);
}

// A program may begin with a lock: its owner is to be known from then on, if ever.
void begin_anew(const void* lock) {
  this_worker();
  observe(&Observer::lock_free, lock);  // of what was here before
}

void init_simple(void* lock, int hint, CallSite where) {
  begin_anew(lock);
  new (lock) FutexLock;
  observe(&Observer::lock_made, ompt_mutex_lock, static_cast<unsigned>(hint), lock, where);
}
void init_nested(void* lock, int hint, CallSite where) {
  begin_anew(lock);
  new (lock) NestLock<>;
  observe(&Observer::lock_made, ompt_mutex_nest_lock, static_cast<unsigned>(hint), lock, where);
}

}  // namespace

HEDDLE_EXPORT void omp_init_lock(void* lock) {
  init_simple(lock, 0, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_init_lock_with_hint(void* lock, int hint) {
  init_simple(lock, hint, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_destroy_lock(void* lock) {
  observe(&Observer::lock_destroyed, ompt_mutex_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_set_lock(void* lock) {
  take_mutex(ompt_mutex_lock, lock, HEDDLE_CALL_SITE(), [lock] { lock_in_task(simple(lock)); });
}
HEDDLE_EXPORT void omp_unset_lock(void* lock) {
  unlock_in_task(simple(lock));
  observe(&Observer::mutex_released, ompt_mutex_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT int omp_test_lock(void* lock) {
  observe(&Observer::mutex_wanted, ompt_mutex_test_lock, lock, HEDDLE_CALL_SITE());
  if (!simple(lock).try_lock()) return 0;
  observe(&Observer::mutex_taken, ompt_mutex_test_lock, lock, HEDDLE_CALL_SITE());
  observe(&Observer::lock_owned, lock, __builtin_return_address(0));
  return 1;
}

namespace {
// times: how often its task holds it now.
void observe_taken(void* lock, ompt_mutex_t kind, int times, CallSite where) {
  if (times == 1) {
    observe(&Observer::lock_owned, lock, where.address);
    observe(&Observer::mutex_taken, kind, lock, where);
  } else {
    observe(&Observer::nest_lock, ompt_scope_begin, lock, where);
  }
}
}  // namespace

HEDDLE_EXPORT void omp_init_nest_lock(void* lock) {
  init_nested(lock, 0, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_init_nest_lock_with_hint(void* lock, int hint) {
  init_nested(lock, hint, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_destroy_nest_lock(void* lock) {
  observe(&Observer::lock_destroyed, ompt_mutex_nest_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_set_nest_lock(void* lock) {
  observe(&Observer::mutex_wanted, ompt_mutex_nest_lock, lock, HEDDLE_CALL_SITE());
  int times = nested(lock).try_take(owner_mark());
  if (times == 0) {
    const auto try_it = [](void* wanted) { return nested(wanted).try_take(owner_mark()) != 0; };
    if (has_suspended_tasks())
      wait_suspended_for_lock(lock, try_it);
    else
      wait_for_lock(lock, try_it);
    times = 1;
  }
  observe_taken(lock, ompt_mutex_nest_lock, times, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void omp_unset_nest_lock(void* lock) {
  const int times = nested(lock).times();
  if (times <= 1) observe(&Observer::lock_free, lock);
  nested(lock).give_back();
  if (times > 1)
    observe(&Observer::nest_lock, ompt_scope_end, lock, HEDDLE_CALL_SITE());
  else
    observe(&Observer::mutex_released, ompt_mutex_nest_lock, lock, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT int omp_test_nest_lock(void* lock) {
  observe(&Observer::mutex_wanted, ompt_mutex_test_nest_lock, lock, HEDDLE_CALL_SITE());
  const int times = nested(lock).try_take(owner_mark());
  if (times > 0) observe_taken(lock, ompt_mutex_test_nest_lock, times, HEDDLE_CALL_SITE());
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

// -- Locks: gfortran's entry points. Its omp_lock_kind is 4 bytes and its omp_nest_lock_kind 8, into which
// the locks for C fit as they are.

namespace {

using FortranLock = std::int32_t;
using FortranNestLock = std::int64_t;

}  // namespace

HEDDLE_EXPORT void omp_init_lock_(FortranLock* lock) {
  omp_init_lock(lock);
}
HEDDLE_EXPORT void omp_init_lock_with_hint_(FortranLock* lock, const std::int32_t* hint) {
  omp_init_lock_with_hint(lock, *hint);
}
HEDDLE_EXPORT void omp_destroy_lock_(FortranLock* lock) {
  omp_destroy_lock(lock);
}
HEDDLE_EXPORT void omp_set_lock_(FortranLock* lock) {
  omp_set_lock(lock);
}
HEDDLE_EXPORT void omp_unset_lock_(FortranLock* lock) {
  omp_unset_lock(lock);
}
HEDDLE_EXPORT std::int32_t omp_test_lock_(FortranLock* lock) {
  return omp_test_lock(lock);
}

HEDDLE_EXPORT void omp_init_nest_lock_(FortranNestLock* lock) {
  omp_init_nest_lock(lock);
}
HEDDLE_EXPORT void omp_init_nest_lock_with_hint_(FortranNestLock* lock, const std::int32_t* hint) {
  omp_init_nest_lock_with_hint(lock, *hint);
}
HEDDLE_EXPORT void omp_destroy_nest_lock_(FortranNestLock* lock) {
  omp_destroy_nest_lock(lock);
}
HEDDLE_EXPORT void omp_set_nest_lock_(FortranNestLock* lock) {
  omp_set_nest_lock(lock);
}
HEDDLE_EXPORT void omp_unset_nest_lock_(FortranNestLock* lock) {
  omp_unset_nest_lock(lock);
}
HEDDLE_EXPORT std::int32_t omp_test_nest_lock_(FortranNestLock* lock) {
  return omp_test_nest_lock(lock);
}

HEDDLE_OMP_VERSIONS(omp_init_lock_);
HEDDLE_OMP_VERSIONS(omp_destroy_lock_);
HEDDLE_OMP_VERSIONS(omp_set_lock_);
HEDDLE_OMP_VERSIONS(omp_unset_lock_);
HEDDLE_OMP_VERSIONS(omp_test_lock_);
HEDDLE_OMP_VERSIONS(omp_init_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_destroy_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_set_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_unset_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_test_nest_lock_);

// -- Locks of programs that GCC before 4.4 built: the same names under the node OMP_1.0, where OpenMP 2.5 had
// threads, not tasks, own locks. A simple lock has 4 bytes then as now. A nestable one has two words of 4
// bytes, aligned no better, in which the lock of today does not fit.

namespace {

ThreadNestLock<>& lock_at(void* lock) {
  return *static_cast<ThreadNestLock<>*>(lock);
}

// Returns how often the calling thread holds the lock now, 0 where another one does.
int try_take(ThreadNestLock<>& lock) {
  return lock.try_take(static_cast<std::int32_t>(this_worker().id) + 1);
}

}  // namespace

extern "C" {

void heddle_init_nested_25(void* lock) {
  new (lock) ThreadNestLock<>;
}
void heddle_destroy_nested_25(void* /*lock*/) {}
void heddle_set_nested_25(void* lock) {
  if (try_take(lock_at(lock)) == 0)
    wait_for_lock(lock, [](void* wanted) { return try_take(lock_at(wanted)) != 0; });
}
void heddle_unset_nested_25(void* lock) {
  lock_at(lock).give_back();
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
