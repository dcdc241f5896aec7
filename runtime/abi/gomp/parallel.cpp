// parallel, barrier, single, critical, atomic, taskgroup-free synchronisation: GCC's entry points.
#include <atomic>

#include "abi/gomp/gomp.hpp"
#include "suspend/locks.hpp"
#include "tasking/cancellation.hpp"

using namespace heddle;

namespace heddle::gomp {

void run_region(Function fn, void* data, unsigned num_threads, unsigned flags, ToldRegion told) {
  request_binding(flags);
  struct Call {
    Function fn;
    void* data;
  } call{fn, data};
  parallel(
      threads_for(num_threads),
      [](Member&, void* argument) {
        const Call& c = *static_cast<Call*>(argument);
        c.fn(c.data);
      },
      &call, with_request(told, num_threads));
}

}  // namespace heddle::gomp

namespace {

FutexLock g_critical;  // of all critical constructs without a name
FutexLock g_atomic;    // of all atomic constructs that the processor cannot do in one instruction

}  // namespace

HEDDLE_EXPORT void GOMP_parallel(gomp::Function fn, void* data, unsigned num_threads, unsigned flags) {
  gomp::run_region(fn, data, num_threads, flags, HEDDLE_TOLD_REGION());
}

HEDDLE_EXPORT void GOMP_barrier() {
  Member& me = this_member();
  const ToolSync told(me, ompt_sync_region_barrier_explicit, HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT bool GOMP_barrier_cancel() {
  Member& me = this_member();
  const ToolSync told(me, ompt_sync_region_barrier_explicit, HEDDLE_CALL_SITE());
  return cancellable_barrier(me);
}

namespace {

// The bits by which GCC names the construct: 1 parallel, 2 loop, 4 sections, 8 taskgroup.
CancelConstruct construct_of(int which) {
  return (which & 1) != 0   ? CancelConstruct::kParallel
         : (which & 8) != 0 ? CancelConstruct::kTaskgroup
                            : CancelConstruct::kWorkshare;
}
int told_construct(int which) {
  return (which & 1) != 0   ? ompt_cancel_parallel
         : (which & 2) != 0 ? ompt_cancel_loop
         : (which & 4) != 0 ? ompt_cancel_sections
                            : ompt_cancel_taskgroup;
}

}  // namespace

// `condition` is the construct's if clause; where it is false, cancel is still a cancellation point.
HEDDLE_EXPORT bool GOMP_cancel(int which, bool condition) {
  Member& me = this_member();
  const bool is_hit = condition ? cancel(me, construct_of(which)) : is_cancelled(me, construct_of(which));
  if (is_hit && has_tool()) [[unlikely]]
    tell_cancel(me, told_construct(which) | (condition ? ompt_cancel_activated : ompt_cancel_detected),
                HEDDLE_CALL_SITE());
  return is_hit;
}
HEDDLE_EXPORT bool GOMP_cancellation_point(int which) {
  Member& me = this_member();
  const bool is_hit = is_cancelled(me, construct_of(which));
  if (is_hit && has_tool()) [[unlikely]]
    tell_cancel(me, told_construct(which) | ompt_cancel_detected, HEDDLE_CALL_SITE());
  return is_hit;
}

HEDDLE_EXPORT bool GOMP_single_start() {
  Member& me = this_member();
  const bool is_mine = single_claim(me);
  if (has_tool()) [[unlikely]]
    tell_single(me, is_mine, HEDDLE_CALL_SITE());
  return is_mine;
}

// copyprivate: null tells the caller to execute the block and to hand its data to GOMP_single_copy_end.
HEDDLE_EXPORT void* GOMP_single_copy_start() {
  Member& me = this_member();
  const bool is_mine = single_claim(me);
  if (has_tool()) [[unlikely]]
    tell_single(me, is_mine, HEDDLE_CALL_SITE());
  if (is_mine) return nullptr;
  const ToolSync told(me, ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
  return me.team->broadcast.load(std::memory_order_acquire);
}
HEDDLE_EXPORT void GOMP_single_copy_end(void* data) {
  Member& me = this_member();
  me.team->broadcast.store(data, std::memory_order_release);  // release: pairs with GOMP_single_copy_start
  const ToolSync told(me, ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT void GOMP_critical_start() {
  take_and_tell(ompt_mutex_critical, &g_critical, HEDDLE_CALL_SITE(), [] { lock_in_task(g_critical); });
}
HEDDLE_EXPORT void GOMP_critical_end() {
  unlock_in_task(g_critical);
  if (has_tool()) [[unlikely]]
    tell_mutex_released(ompt_mutex_critical, &g_critical, HEDDLE_CALL_SITE());
}

// GCC gives each name one pointer-sized common symbol, zero at the start: room for a lock.
HEDDLE_EXPORT void GOMP_critical_name_start(void** name) {
  take_and_tell(ompt_mutex_critical, name, HEDDLE_CALL_SITE(),
                [name] { lock_in_task(*reinterpret_cast<FutexLock*>(name)); });
}
HEDDLE_EXPORT void GOMP_critical_name_end(void** name) {
  unlock_in_task(*reinterpret_cast<FutexLock*>(name));
  if (has_tool()) [[unlikely]]
    tell_mutex_released(ompt_mutex_critical, name, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_atomic_start() {
  take_and_tell(ompt_mutex_atomic, &g_atomic, HEDDLE_CALL_SITE(), [] { g_atomic.lock(); });
}
HEDDLE_EXPORT void GOMP_atomic_end() {
  g_atomic.unlock();
  if (has_tool()) [[unlikely]]
    tell_mutex_released(ompt_mutex_atomic, &g_atomic, HEDDLE_CALL_SITE());
}
