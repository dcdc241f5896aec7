// barrier, master, masked, single, copyprivate, critical, reduction, flush: Clang's entry points.
#include <cstdint>
#include <vector>

#include "abi/kmpc/kmpc.hpp"
#include "abi/omp/routines.hpp"
#include "loop/doacross.hpp"
#include "loop/workshare.hpp"
#include "suspend/locks.hpp"
#include "sys/fence.hpp"
#include "tasking/cancellation.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

// Clang gives each critical name 32 bytes, zero at the start: room for a lock.
using CriticalName = std::int32_t[8];
FutexLock& lock_of(CriticalName* name) {
  return *reinterpret_cast<FutexLock*>(name);
}

void enter_critical(CriticalName* name, CallSite where) {
  take_mutex(ompt_mutex_critical, name, where, [name] { lock_in_task(lock_of(name)); });
}

// Which barrier it is: Clang says so in what it tells of the place in the source.
ompt_sync_region_t barrier_kind(const Ident* where) {
  constexpr std::int32_t kImplicit = 0x40, kSingle = 0x140, kLoop = 0x40, kSections = 0xC0, kKinds = 0x1C0;
  const std::int32_t flags = where != nullptr ? where->flags : 0;
  if ((flags & kImplicit) == 0) return ompt_sync_region_barrier_explicit;
  const std::int32_t kind = flags & kKinds;
  return kind == kLoop || kind == kSections || kind == kSingle ? ompt_sync_region_barrier_implicit_workshare
                                                               : ompt_sync_region_barrier_implementation;
}

}  // namespace

HEDDLE_EXPORT void __kmpc_barrier(Ident* where, Gtid) {
  Member& me = this_member();
  const SyncRegion sync(barrier_kind(where), HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT std::int32_t __kmpc_cancel_barrier(Ident* where, Gtid) {
  Member& me = this_member();
  const SyncRegion sync(barrier_kind(where), HEDDLE_CALL_SITE());
  return cancellable_barrier(me);
}

namespace {

// The numbers by which Clang names the construct: 1 parallel, 2 loop, 3 sections, 4 taskgroup.
CancelConstruct construct_of(std::int32_t kind) {
  return kind == 1   ? CancelConstruct::kParallel
         : kind == 4 ? CancelConstruct::kTaskgroup
                     : CancelConstruct::kWorkshare;
}
int cancel_flag_of(std::int32_t kind) {
  return kind == 1   ? ompt_cancel_parallel
         : kind == 2 ? ompt_cancel_loop
         : kind == 3 ? ompt_cancel_sections
                     : ompt_cancel_taskgroup;
}

// Clang's code makes no further call for a loop that it leaves by a cancellation. (libomp keeps such loops,
// and hangs in the eighth.)
void leave_cancelled_loop(Member& me, std::int32_t kind, CallSite where) {
  if (construct_of(kind) != CancelConstruct::kWorkshare) return;
  loop_leave(me);
  observe(&Observer::loop_ends, where);
}

}  // namespace

HEDDLE_EXPORT std::int32_t __kmpc_cancel(Ident*, Gtid, std::int32_t kind) {
  Member& me = this_member();
  const bool is_activated = cancel(me, construct_of(kind));
  if (is_activated)
    observe(&Observer::cancelled, cancel_flag_of(kind) | ompt_cancel_activated, HEDDLE_CALL_SITE());
  if (is_activated) leave_cancelled_loop(me, kind, HEDDLE_CALL_SITE());
  return is_activated;
}
HEDDLE_EXPORT std::int32_t __kmpc_cancellationpoint(Ident*, Gtid, std::int32_t kind) {
  Member& me = this_member();
  const bool is_detected = is_cancelled(me, construct_of(kind));
  if (is_detected)
    observe(&Observer::cancelled, cancel_flag_of(kind) | ompt_cancel_detected, HEDDLE_CALL_SITE());
  if (is_detected) leave_cancelled_loop(me, kind, HEDDLE_CALL_SITE());
  return is_detected;
}

HEDDLE_EXPORT std::int32_t __kmpc_master(Ident*, Gtid) {
  Member& me = this_member();
  if (me.number == 0) observe(&Observer::masked, ompt_scope_begin, HEDDLE_CALL_SITE());
  return me.number == 0;
}
HEDDLE_EXPORT void __kmpc_end_master(Ident*, Gtid) {
  observe(&Observer::masked, ompt_scope_end, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT std::int32_t __kmpc_masked(Ident*, Gtid, std::int32_t filter) {
  Member& me = this_member();
  if (me.number == filter) observe(&Observer::masked, ompt_scope_begin, HEDDLE_CALL_SITE());
  return me.number == filter;
}
HEDDLE_EXPORT void __kmpc_end_masked(Ident*, Gtid) {
  observe(&Observer::masked, ompt_scope_end, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT std::int32_t __kmpc_single(Ident*, Gtid) {
  Member& me = this_member();
  const bool is_mine = single_claim(me);
  observe(&Observer::single_begins, is_mine, HEDDLE_CALL_SITE());
  return is_mine;
}
HEDDLE_EXPORT void __kmpc_end_single(Ident*, Gtid) {
  observe(&Observer::single_ends);
}

namespace {

void implementation_barrier(Member& me, CallSite where) {
  const SyncRegion sync(ompt_sync_region_barrier_implementation, where);
  barrier(me);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_copyprivate(Ident*, Gtid, std::size_t /*bytes*/, void* data,
                                      void (*copy)(void*, void*), std::int32_t did_it) {
  Member& me = this_member();
  if (did_it != 0) me.team->broadcast = data;
  implementation_barrier(me, HEDDLE_CALL_SITE());
  if (did_it == 0) copy(data, me.team->broadcast.seen());
  implementation_barrier(me, HEDDLE_CALL_SITE());  // the source stays until everybody has copied
}

// The same in two steps: the program copies by itself from what this returns. data is null but for a thread
// that executed the single.
HEDDLE_EXPORT void* __kmpc_copyprivate_light(Ident*, Gtid, void* data) {
  Member& me = this_member();
  if (data != nullptr) me.team->broadcast = data;
  implementation_barrier(me, HEDDLE_CALL_SITE());
  return me.team->broadcast.seen();
}

// A barrier that lets the primary thread through first; the others wait for its second half.
HEDDLE_EXPORT std::int32_t __kmpc_barrier_master(Ident*, Gtid) {
  Member& me = this_member();
  implementation_barrier(me, HEDDLE_CALL_SITE());
  if (me.number == 0) return 1;
  implementation_barrier(me, HEDDLE_CALL_SITE());
  return 0;
}
HEDDLE_EXPORT void __kmpc_end_barrier_master(Ident*, Gtid) {
  implementation_barrier(this_member(), HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT std::int32_t __kmpc_barrier_master_nowait(Ident*, Gtid) {
  Member& me = this_member();
  implementation_barrier(me, HEDDLE_CALL_SITE());
  return me.number == 0;
}

HEDDLE_EXPORT void __kmpc_scope(Ident*, Gtid, void*) {}
HEDDLE_EXPORT void __kmpc_end_scope(Ident*, Gtid, void*) {}

HEDDLE_EXPORT void __kmpc_critical(Ident*, Gtid, CriticalName* name) {
  enter_critical(name, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void __kmpc_critical_with_hint(Ident*, Gtid, CriticalName* name, std::uint32_t /*hint*/) {
  enter_critical(name, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void __kmpc_end_critical(Ident*, Gtid, CriticalName* name) {
  unlock_in_task(lock_of(name));
  observe(&Observer::mutex_released, ompt_mutex_critical, name, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void __kmpc_flush(Ident*) {
#if !defined(__SANITIZE_THREAD__)
  full_fence();
#endif
  observe(&Observer::flush, HEDDLE_CALL_SITE());
}

// Reductions: each thread combines its copy into the original, one at a time. 1 tells the program to do it
// now.
HEDDLE_EXPORT std::int32_t __kmpc_reduce(Ident*, Gtid, std::int32_t, std::size_t, void*,
                                         void (*)(void*, void*), CriticalName* name) {
  lock_in_task(lock_of(name));
  observe(&Observer::reduction, ompt_scope_begin, HEDDLE_CALL_SITE());
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce(Ident*, Gtid, CriticalName* name) {
  Member& me = this_member();
  observe(&Observer::reduction, ompt_scope_end, HEDDLE_CALL_SITE());
  unlock_in_task(lock_of(name));
  const SyncRegion sync(ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
}
HEDDLE_EXPORT std::int32_t __kmpc_reduce_nowait(Ident*, Gtid, std::int32_t, std::size_t, void*,
                                                void (*)(void*, void*), CriticalName* name) {
  lock_in_task(lock_of(name));
  observe(&Observer::reduction, ompt_scope_begin, HEDDLE_CALL_SITE());
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce_nowait(Ident*, Gtid, CriticalName* name) {
  observe(&Observer::reduction, ompt_scope_end, HEDDLE_CALL_SITE());
  unlock_in_task(lock_of(name));
}

// -- The ordered construct, and doacross loop nests: Clang's entry points.

namespace {

// One loop of the nest: inclusive bounds and step, as the program has them.
struct Dimension {
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t step;
};

}  // namespace

HEDDLE_EXPORT void __kmpc_ordered(Ident*, Gtid) {
  Member& me = this_member();
  take_mutex(ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE(), [&me] { ordered_begin(me); });
}
HEDDLE_EXPORT void __kmpc_end_ordered(Ident*, Gtid) {
  Member& me = this_member();
  ordered_end(me);
  observe(&Observer::mutex_released, ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void __kmpc_doacross_init(Ident*, Gtid, std::int32_t loops, const Dimension* dimensions) {
  std::vector<DoacrossLoop> nest;
  for (std::int32_t i = 0; i < loops; ++i)
    nest.push_back({dimensions[i].lower, dimensions[i].step,
                    trip_count(dimensions[i].lower, dimensions[i].upper, dimensions[i].step)});
  doacross_enter(this_member(), nest);
}
HEDDLE_EXPORT void __kmpc_doacross_wait(Ident*, Gtid, const std::int64_t* iteration) {
  Member& me = this_member();
  doacross_wait(me, iteration);
  if (has_observers() && doacross_has(me, iteration)) [[unlikely]]
    observe(&Observer::iteration, iteration, doacross_loops(me), ompt_dependence_type_sink);
}
HEDDLE_EXPORT void __kmpc_doacross_post(Ident*, Gtid, const std::int64_t* iteration) {
  Member& me = this_member();
  if (has_observers()) [[unlikely]]
    observe(&Observer::iteration, iteration, doacross_loops(me), ompt_dependence_type_source);
  doacross_post(me, iteration);
}
HEDDLE_EXPORT void __kmpc_doacross_fini(Ident*, Gtid) {
  doacross_leave(this_member());
}

// -- Locks as LLVM's ABI names them; the variable is an omp_lock_t or omp_nest_lock_t.

HEDDLE_EXPORT void __kmpc_init_lock(Ident*, Gtid, void** lock) {
  omp_init_lock(lock);
}
HEDDLE_EXPORT void __kmpc_init_lock_with_hint(Ident*, Gtid, void** lock, std::uintptr_t hint) {
  omp_init_lock_with_hint(lock, static_cast<int>(hint));
}
HEDDLE_EXPORT void __kmpc_destroy_lock(Ident*, Gtid, void** lock) {
  omp_destroy_lock(lock);
}
HEDDLE_EXPORT void __kmpc_set_lock(Ident*, Gtid, void** lock) {
  omp_set_lock(lock);
}
HEDDLE_EXPORT void __kmpc_unset_lock(Ident*, Gtid, void** lock) {
  omp_unset_lock(lock);
}
HEDDLE_EXPORT int __kmpc_test_lock(Ident*, Gtid, void** lock) {
  return omp_test_lock(lock);
}

HEDDLE_EXPORT void __kmpc_init_nest_lock(Ident*, Gtid, void** lock) {
  omp_init_nest_lock(lock);
}
HEDDLE_EXPORT void __kmpc_init_nest_lock_with_hint(Ident*, Gtid, void** lock, std::uintptr_t hint) {
  omp_init_nest_lock_with_hint(lock, static_cast<int>(hint));
}
HEDDLE_EXPORT void __kmpc_destroy_nest_lock(Ident*, Gtid, void** lock) {
  omp_destroy_nest_lock(lock);
}
HEDDLE_EXPORT void __kmpc_set_nest_lock(Ident*, Gtid, void** lock) {
  omp_set_nest_lock(lock);
}
HEDDLE_EXPORT void __kmpc_unset_nest_lock(Ident*, Gtid, void** lock) {
  omp_unset_nest_lock(lock);
}
HEDDLE_EXPORT int __kmpc_test_nest_lock(Ident*, Gtid, void** lock) {
  return omp_test_nest_lock(lock);
}
