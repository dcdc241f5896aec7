// What GCC 17 calls where earlier ones compute by themselves, or call something that a tool learns less from:
// static schedules, masked, barriers by kind, ends of constructs. Provisional: read from the code that the
// snapshot of 2026-10-20 generates, and GCC 17 is not released.
//
// Forms in _start, _dispatch and _end, and those "with end", come with -fopenmp-ompt and
// -fopenmp-ompt=extended. They do what the plain ones do, and tell a tool of it.
#include <cstdint>

#include "abi/gomp/gomp.hpp"
#include "abi/gomp/loop.hpp"
#include "suspend/locks.hpp"
#include "tasking/cancellation.hpp"

using namespace heddle;

namespace {

/// Which share of a static schedule is the caller's, of how many: _Complex int, real part first.
struct Share {
  std::int32_t count;
  std::int32_t number;
};

Share share_of_thread(const Member& me) {
  return {me.team->size, me.number};
}
Share share_of_team(const Member& me) {
  return {me.team->league.size, me.team->league.number};
}

ompt_sync_region_t sync_region_of(int barrier_kind) {
  return barrier_kind == 1   ? ompt_sync_region_barrier_implicit_workshare
         : barrier_kind == 2 ? ompt_sync_region_barrier_explicit
                             : ompt_sync_region_barrier_implementation;
}

FutexLock g_reduction;  // of all reductions by a critical section

}  // namespace

HEDDLE_EXPORT Share GOMP_loop_static_worksharing(std::uint64_t /*iterations*/) {
  return share_of_thread(this_member());
}
HEDDLE_EXPORT Share GOMP_loop_static_worksharing_start(std::uint64_t iterations) {
  Member& me = this_member();
  observe(&Observer::loop_begins, ompt_work_loop_static, iterations, HEDDLE_CALL_SITE());
  return share_of_thread(me);
}
HEDDLE_EXPORT void GOMP_loop_static_worksharing_dispatch(std::uint64_t first, std::uint64_t iterations) {
  observe(&Observer::chunk_begins, first, iterations);
}
HEDDLE_EXPORT void GOMP_loop_static_worksharing_end() {
  observe(&Observer::loop_ends, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT Share GOMP_distribute_static_worksharing(std::uint64_t /*iterations*/) {
  return share_of_team(this_member());
}
HEDDLE_EXPORT Share GOMP_distribute_static_worksharing_start(std::uint64_t iterations) {
  Member& me = this_member();
  observe(&Observer::loop_begins, ompt_work_distribute, iterations, HEDDLE_CALL_SITE());
  return share_of_team(me);
}
HEDDLE_EXPORT void GOMP_distribute_static_worksharing_dispatch(std::uint64_t first,
                                                               std::uint64_t iterations) {
  observe(&Observer::chunk_begins, first, iterations);
}
HEDDLE_EXPORT void GOMP_distribute_static_worksharing_end() {
  observe(&Observer::loop_ends, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT bool GOMP_has_masked_thread_num(int filter) {
  return this_member().number == filter;
}
HEDDLE_EXPORT bool GOMP_has_masked_thread_num_with_end(int filter) {
  Member& me = this_member();
  if (me.number == filter) observe(&Observer::masked, ompt_scope_begin, HEDDLE_CALL_SITE());
  return me.number == filter;
}
HEDDLE_EXPORT void GOMP_masked_end() {
  observe(&Observer::masked, ompt_scope_end, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT bool GOMP_single_start_with_end() {
  Member& me = this_member();
  const bool is_mine = single_claim(me);
  observe(&Observer::single_begins, is_mine, HEDDLE_CALL_SITE());
  return is_mine;
}
HEDDLE_EXPORT void GOMP_single_end() {
  observe(&Observer::single_ends);
}

HEDDLE_EXPORT void GOMP_scope_start_with_end(std::uintptr_t* reductions) {
  observe(&Observer::work_begins, ompt_work_scope, 1, HEDDLE_CALL_SITE());
  gomp::share_with_team(reductions, nullptr);
}
HEDDLE_EXPORT void GOMP_scope_end() {
  observe(&Observer::work_ends, ompt_work_scope, 1, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_barrier_ext(int kind) {
  Member& me = this_member();
  const SyncRegion sync(sync_region_of(kind), HEDDLE_CALL_SITE());
  barrier(me);
}
HEDDLE_EXPORT bool GOMP_barrier_cancel_ext(int kind) {
  Member& me = this_member();
  const SyncRegion sync(sync_region_of(kind), HEDDLE_CALL_SITE());
  return cancellable_barrier(me);
}

// Around the combination of private copies with the original list items.
HEDDLE_EXPORT void GOMP_reduction_start() {
  observe(&Observer::reduction, ompt_scope_begin, HEDDLE_CALL_SITE());
  lock_in_task(g_reduction);
}
HEDDLE_EXPORT void GOMP_reduction_end() {
  unlock_in_task(g_reduction);
  observe(&Observer::reduction, ompt_scope_end, HEDDLE_CALL_SITE());
}
