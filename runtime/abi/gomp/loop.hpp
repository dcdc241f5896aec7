// How GCC counts a loop's iterations, for the entry points of all kinds of loops: signed (long) and unsigned
// (ull).
#pragma once

#include <cstdint>

#include "abi/defaults.hpp"
#include "abi/gomp/gomp.hpp"
#include "team/team.hpp"

namespace heddle::gomp {

using Ull = unsigned long long;

/// Number of iterations; `end` is exclusive, as in the program.
inline std::uint64_t trip_signed(long start, long end, long step) {
  if (step > 0 ? start >= end : start <= end) return 0;
  const auto distance = step > 0 ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start)
                                 : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(end);
  const std::uint64_t magnitude =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return (distance - 1) / magnitude + 1;
}

inline std::uint64_t trip_unsigned(bool up, Ull start, Ull end, Ull step) {
  if (up ? start >= end : start <= end) return 0;
  return up ? (end - start - 1) / step + 1 : (start - end - 1) / (0 - step) + 1;
}

/// The calling thread's next iterations as bounds of the loop variable, the last exclusive.
template <class Int>
bool next_bounds(Int* first, Int* last) {
  Member& me = this_member();
  IterationRange range;
  if (!loop_next(me, &range)) return false;
  observe(&Observer::chunk_begins, me.loop.start + range.first * me.loop.step, range.count);
  *first = static_cast<Int>(me.loop.start + range.first * me.loop.step);
  *last = static_cast<Int>(me.loop.start + (range.first + range.count) * me.loop.step);
  return true;
}

inline void enter_loop(Schedule schedule, std::uint64_t trip, std::uint64_t start, std::uint64_t step,
                       CallSite where, bool is_ordered = false) {
  Member& me = this_member();
  me.loop.start = start;
  me.loop.step = step;
  loop_enter(me, schedule, trip, is_ordered);
  observe(&Observer::loop_begins, loop_work_of(schedule.kind), trip, where);
}

inline bool start_signed(Schedule schedule, long start, long end, long step, long* first, long* last,
                         CallSite where, bool is_ordered = false) {
  enter_loop(schedule, trip_signed(start, end, step), static_cast<std::uint64_t>(start),
             static_cast<std::uint64_t>(step), where, is_ordered);
  return next_bounds(first, last);
}

inline bool start_unsigned(Schedule schedule, bool up, Ull start, Ull end, Ull step, Ull* first, Ull* last,
                           CallSite where, bool is_ordered = false) {
  enter_loop(schedule, trip_unsigned(up, start, end, step), start, step, where, is_ordered);
  return next_bounds(first, last);
}

inline Schedule with_chunk(ScheduleKind kind, std::uint64_t chunk) {
  return {kind, chunk};
}

inline Schedule runtime_schedule() {
  return run_schedule(this_member(), ScheduleKind::kDynamic);
}

/// The `schedule` argument of GOMP_loop_start and its kin: 0 runtime, then the values of omp_sched_t; the
/// highest of 32 bits says monotonic.
inline Schedule decode_schedule(long schedule, std::uint64_t chunk) {
  switch (schedule & 0x7fffffff) {
    case 0:
      return runtime_schedule();
    case 1:
      return with_chunk(ScheduleKind::kStatic, chunk);
    case 2:
      return with_chunk(ScheduleKind::kDynamic, chunk);
    case 3:
      return with_chunk(ScheduleKind::kGuided, chunk);
    default:
      return with_chunk(ScheduleKind::kStatic, 0);
  }
}

}  // namespace heddle::gomp

// -- What a worksharing construct of GCC may ask the team to share: the private copies of reduction(task, …)
// items, and zeroed memory for scan and lastprivate(conditional:).

namespace heddle::gomp {

/// Called by all threads as they enter the construct. reductions: descriptors (task_reduction.hpp), completed
/// with the shared memory, which also opens a taskgroup; or null. memory: in, the bytes wanted, cast to a
/// pointer; out, the shared memory; or null.
void share_with_team(std::uintptr_t* reductions, void** memory);

/// Leaves the loop and what else the construct had a workshare for; no barrier.
void leave_loop(Member& me);

}  // namespace heddle::gomp
