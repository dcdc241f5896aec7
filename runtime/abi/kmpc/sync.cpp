// barrier, master, masked, single, copyprivate, critical, reduction, flush: Clang's entry points.
#include <atomic>

#include "abi/kmpc/kmpc.hpp"
#include "loop/workshare.hpp"
#include "sync/futex_lock.hpp"

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

// Cancellation is never active here (settings.cpp refuses OMP_CANCELLATION=true), so nothing is ever
// cancelled.
HEDDLE_EXPORT std::int32_t __kmpc_cancel_barrier(Ident*, Gtid) {
  barrier(this_member());
  return 0;
}
HEDDLE_EXPORT std::int32_t __kmpc_cancel(Ident*, Gtid, std::int32_t) {
  return 0;
}
HEDDLE_EXPORT std::int32_t __kmpc_cancellationpoint(Ident*, Gtid, std::int32_t) {
  return 0;
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

HEDDLE_EXPORT void __kmpc_critical(Ident*, Gtid, CriticalName* name) {
  lock_of(name).lock();
}
HEDDLE_EXPORT void __kmpc_critical_with_hint(Ident*, Gtid, CriticalName* name, std::uint32_t /*hint*/) {
  lock_of(name).lock();
}
HEDDLE_EXPORT void __kmpc_end_critical(Ident*, Gtid, CriticalName* name) {
  lock_of(name).unlock();
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
  lock_of(name).lock();
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce(Ident*, Gtid, CriticalName* name) {
  lock_of(name).unlock();
  barrier(this_member());
}
HEDDLE_EXPORT std::int32_t __kmpc_reduce_nowait(Ident*, Gtid, std::int32_t, std::size_t, void*,
                                                void (*)(void*, void*), CriticalName* name) {
  lock_of(name).lock();
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce_nowait(Ident*, Gtid, CriticalName* name) {
  lock_of(name).unlock();
}

namespace {
FutexLock g_atomic;  // of all atomic constructs that the processor cannot do in one instruction
}
HEDDLE_EXPORT void __kmpc_atomic_start() {
  g_atomic.lock();
}
HEDDLE_EXPORT void __kmpc_atomic_end() {
  g_atomic.unlock();
}
