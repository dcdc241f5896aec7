// barrier, master, masked, single, copyprivate, critical, reduction, flush: Clang's entry points.
#include <atomic>

#include "abi/kmpc/kmpc.hpp"
#include "loop/workshare.hpp"
#include "suspend/lock_wait.hpp"
#include "tasking/cancellation.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

// Clang gives each critical name 32 bytes, zero at the start: room for a lock.
using CriticalName = std::int32_t[8];
FutexLock& lock_of(CriticalName* name) {
  return *reinterpret_cast<FutexLock*>(name);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_barrier(Ident*, Gtid) {
  barrier(this_member());
}

HEDDLE_EXPORT std::int32_t __kmpc_cancel_barrier(Ident*, Gtid) {
  return cancellable_barrier(this_member());
}

namespace {

// The numbers by which Clang names the construct: 1 parallel, 2 loop, 3 sections, 4 taskgroup.
CancelConstruct construct_of(std::int32_t kind) {
  return kind == 1   ? CancelConstruct::kParallel
         : kind == 4 ? CancelConstruct::kTaskgroup
                     : CancelConstruct::kWorkshare;
}

}  // namespace

HEDDLE_EXPORT std::int32_t __kmpc_cancel(Ident*, Gtid, std::int32_t kind) {
  return cancel(this_member(), construct_of(kind));
}
HEDDLE_EXPORT std::int32_t __kmpc_cancellationpoint(Ident*, Gtid, std::int32_t kind) {
  return is_cancelled(this_member(), construct_of(kind));
}

HEDDLE_EXPORT std::int32_t __kmpc_master(Ident*, Gtid) {
  return this_member().number == 0;
}
HEDDLE_EXPORT void __kmpc_end_master(Ident*, Gtid) {}
HEDDLE_EXPORT std::int32_t __kmpc_masked(Ident*, Gtid, std::int32_t filter) {
  return this_member().number == filter;
}
HEDDLE_EXPORT void __kmpc_end_masked(Ident*, Gtid) {}

HEDDLE_EXPORT std::int32_t __kmpc_single(Ident*, Gtid) {
  return single_claim(this_member());
}
HEDDLE_EXPORT void __kmpc_end_single(Ident*, Gtid) {}

HEDDLE_EXPORT void __kmpc_copyprivate(Ident*, Gtid, std::size_t /*bytes*/, void* data,
                                      void (*copy)(void*, void*), std::int32_t did_it) {
  Member& me = this_member();
  if (did_it != 0) me.team->broadcast.store(data, std::memory_order_release);
  barrier(me);
  if (did_it == 0) copy(data, me.team->broadcast.load(std::memory_order_acquire));
  barrier(me);  // the source stays until everybody has copied
}

// The same in two steps: the program copies by itself from what this returns. data is null but for who
// executed the single.
HEDDLE_EXPORT void* __kmpc_copyprivate_light(Ident*, Gtid, void* data) {
  Member& me = this_member();
  if (data != nullptr) me.team->broadcast.store(data, std::memory_order_release);
  barrier(me);
  return me.team->broadcast.load(std::memory_order_acquire);
}

// A barrier that lets the primary thread through first; the others wait for its second half.
HEDDLE_EXPORT std::int32_t __kmpc_barrier_master(Ident*, Gtid) {
  Member& me = this_member();
  barrier(me);
  if (me.number == 0) return 1;
  barrier(me);
  return 0;
}
HEDDLE_EXPORT void __kmpc_end_barrier_master(Ident*, Gtid) {
  barrier(this_member());
}
HEDDLE_EXPORT std::int32_t __kmpc_barrier_master_nowait(Ident*, Gtid) {
  Member& me = this_member();
  barrier(me);
  return me.number == 0;
}

HEDDLE_EXPORT void __kmpc_scope(Ident*, Gtid, void*) {}
HEDDLE_EXPORT void __kmpc_end_scope(Ident*, Gtid, void*) {}

HEDDLE_EXPORT void __kmpc_critical(Ident*, Gtid, CriticalName* name) {
  lock_in_task(lock_of(name));
}
HEDDLE_EXPORT void __kmpc_critical_with_hint(Ident*, Gtid, CriticalName* name, std::uint32_t /*hint*/) {
  lock_in_task(lock_of(name));
}
HEDDLE_EXPORT void __kmpc_end_critical(Ident*, Gtid, CriticalName* name) {
  unlock_in_task(lock_of(name));
}

HEDDLE_EXPORT void __kmpc_flush(Ident*) {
#if !defined(__SANITIZE_THREAD__)
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

// Reductions: each thread combines its copy into the original, one at a time. 1 tells the program to do it
// now.
HEDDLE_EXPORT std::int32_t __kmpc_reduce(Ident*, Gtid, std::int32_t, std::size_t, void*,
                                         void (*)(void*, void*), CriticalName* name) {
  lock_in_task(lock_of(name));
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce(Ident*, Gtid, CriticalName* name) {
  unlock_in_task(lock_of(name));
  barrier(this_member());
}
HEDDLE_EXPORT std::int32_t __kmpc_reduce_nowait(Ident*, Gtid, std::int32_t, std::size_t, void*,
                                                void (*)(void*, void*), CriticalName* name) {
  lock_in_task(lock_of(name));
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce_nowait(Ident*, Gtid, CriticalName* name) {
  unlock_in_task(lock_of(name));
}
