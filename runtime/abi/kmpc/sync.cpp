// barrier, master, masked, single, copyprivate, critical, reduction, flush: Clang's entry points.
#include <atomic>

#include "abi/kmpc/kmpc.hpp"
#include "loop/workshare.hpp"
#include "suspend/locks.hpp"
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
  take_and_tell(ompt_mutex_critical, name, where, [name] { lock_in_task(lock_of(name)); });
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
  const ToolSync told(me, barrier_kind(where), HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT std::int32_t __kmpc_cancel_barrier(Ident* where, Gtid) {
  Member& me = this_member();
  const ToolSync told(me, barrier_kind(where), HEDDLE_CALL_SITE());
  return cancellable_barrier(me);
}

namespace {

// The numbers by which Clang names the construct: 1 parallel, 2 loop, 3 sections, 4 taskgroup.
CancelConstruct construct_of(std::int32_t kind) {
  return kind == 1   ? CancelConstruct::kParallel
         : kind == 4 ? CancelConstruct::kTaskgroup
                     : CancelConstruct::kWorkshare;
}
int told_construct(std::int32_t kind) {
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
  if (has_tool()) [[unlikely]]
    tell_loop_ends(me, where);
}

}  // namespace

HEDDLE_EXPORT std::int32_t __kmpc_cancel(Ident*, Gtid, std::int32_t kind) {
  Member& me = this_member();
  const bool is_activated = cancel(me, construct_of(kind));
  if (is_activated && has_tool()) [[unlikely]]
    tell_cancel(me, told_construct(kind) | ompt_cancel_activated, HEDDLE_CALL_SITE());
  if (is_activated) leave_cancelled_loop(me, kind, HEDDLE_CALL_SITE());
  return is_activated;
}
HEDDLE_EXPORT std::int32_t __kmpc_cancellationpoint(Ident*, Gtid, std::int32_t kind) {
  Member& me = this_member();
  const bool is_detected = is_cancelled(me, construct_of(kind));
  if (is_detected && has_tool()) [[unlikely]]
    tell_cancel(me, told_construct(kind) | ompt_cancel_detected, HEDDLE_CALL_SITE());
  if (is_detected) leave_cancelled_loop(me, kind, HEDDLE_CALL_SITE());
  return is_detected;
}

HEDDLE_EXPORT std::int32_t __kmpc_master(Ident*, Gtid) {
  Member& me = this_member();
  if (has_tool() && me.number == 0) [[unlikely]]
    tell_masked(me, ompt_scope_begin, HEDDLE_CALL_SITE());
  return me.number == 0;
}
HEDDLE_EXPORT void __kmpc_end_master(Ident*, Gtid) {
  if (has_tool()) [[unlikely]]
    tell_masked(this_member(), ompt_scope_end, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT std::int32_t __kmpc_masked(Ident*, Gtid, std::int32_t filter) {
  Member& me = this_member();
  if (has_tool() && me.number == filter) [[unlikely]]
    tell_masked(me, ompt_scope_begin, HEDDLE_CALL_SITE());
  return me.number == filter;
}
HEDDLE_EXPORT void __kmpc_end_masked(Ident*, Gtid) {
  if (has_tool()) [[unlikely]]
    tell_masked(this_member(), ompt_scope_end, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT std::int32_t __kmpc_single(Ident*, Gtid) {
  Member& me = this_member();
  const bool is_mine = single_claim(me);
  if (has_tool()) [[unlikely]]
    tell_single(me, is_mine, HEDDLE_CALL_SITE());
  return is_mine;
}
HEDDLE_EXPORT void __kmpc_end_single(Ident*, Gtid) {
  if (has_tool()) [[unlikely]]
    tell_single_ends(this_member());
}

namespace {

void implementation_barrier(Member& me, CallSite where) {
  const ToolSync told(me, ompt_sync_region_barrier_implementation, where);
  barrier(me);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_copyprivate(Ident*, Gtid, std::size_t /*bytes*/, void* data,
                                      void (*copy)(void*, void*), std::int32_t did_it) {
  Member& me = this_member();
  if (did_it != 0) me.team->broadcast.store(data, std::memory_order_release);
  implementation_barrier(me, HEDDLE_CALL_SITE());
  if (did_it == 0) copy(data, me.team->broadcast.load(std::memory_order_acquire));
  implementation_barrier(me, HEDDLE_CALL_SITE());  // the source stays until everybody has copied
}

// The same in two steps: the program copies by itself from what this returns. data is null but for who
// executed the single.
HEDDLE_EXPORT void* __kmpc_copyprivate_light(Ident*, Gtid, void* data) {
  Member& me = this_member();
  if (data != nullptr) me.team->broadcast.store(data, std::memory_order_release);
  implementation_barrier(me, HEDDLE_CALL_SITE());
  return me.team->broadcast.load(std::memory_order_acquire);
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
  if (has_tool()) [[unlikely]]
    tell_mutex_released(ompt_mutex_critical, name, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void __kmpc_flush(Ident*) {
#if !defined(__SANITIZE_THREAD__)
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  if (has_tool()) [[unlikely]]
    tell_flush(HEDDLE_CALL_SITE());
}

// Reductions: each thread combines its copy into the original, one at a time. 1 tells the program to do it
// now.
HEDDLE_EXPORT std::int32_t __kmpc_reduce(Ident*, Gtid, std::int32_t, std::size_t, void*,
                                         void (*)(void*, void*), CriticalName* name) {
  lock_in_task(lock_of(name));
  if (has_tool()) [[unlikely]]
    tell_reduction(this_member(), ompt_scope_begin, HEDDLE_CALL_SITE());
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce(Ident*, Gtid, CriticalName* name) {
  Member& me = this_member();
  if (has_tool()) [[unlikely]]
    tell_reduction(me, ompt_scope_end, HEDDLE_CALL_SITE());
  unlock_in_task(lock_of(name));
  const ToolSync told(me, ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
}
HEDDLE_EXPORT std::int32_t __kmpc_reduce_nowait(Ident*, Gtid, std::int32_t, std::size_t, void*,
                                                void (*)(void*, void*), CriticalName* name) {
  lock_in_task(lock_of(name));
  if (has_tool()) [[unlikely]]
    tell_reduction(this_member(), ompt_scope_begin, HEDDLE_CALL_SITE());
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_reduce_nowait(Ident*, Gtid, CriticalName* name) {
  if (has_tool()) [[unlikely]]
    tell_reduction(this_member(), ompt_scope_end, HEDDLE_CALL_SITE());
  unlock_in_task(lock_of(name));
}
