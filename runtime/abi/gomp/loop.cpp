// Worksharing loops and sections: GCC's entry points, in their signed (long) and unsigned (ull) forms.
//
// GCC computes static schedules itself; it calls static entry points only with `ordered` or for
// schedule(runtime).
#include <cstdint>

#include "abi/gomp/iterations.hpp"
#include "abi/gomp/workshare_reduction.hpp"
#include "region/fork_join.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace {

// A combined construct: every member enters the loop before the compiled body asks for its first iterations.
void run_loop_region(Function fn, void* data, unsigned threads, unsigned flags, Schedule schedule, long start,
                     long end, long step, ToldRegion told) {
  struct Call {
    Function fn;
    void* data;
    Schedule schedule;
    long start, end, step;
    CallSite where;
  } call{fn, data, schedule, start, end, step, told.where};
  request_binding(flags);
  parallel(
      threads_for(threads),
      [](Member&, void* argument) {
        const Call& c = *static_cast<Call*>(argument);
        enter_loop(c.schedule, trip_signed(c.start, c.end, c.step), static_cast<std::uint64_t>(c.start),
                   static_cast<std::uint64_t>(c.step), c.where);
        c.fn(c.data);
      },
      &call, with_request(told, threads));
}

}  // namespace

#define HEDDLE_GOMP_LOOP(name, kind)                                                                        \
  HEDDLE_EXPORT bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long* first,     \
                                              long* last) {                                                 \
    return start_signed(with_chunk(kind, static_cast<std::uint64_t>(chunk)), start, end, step, first, last, \
                        HEDDLE_CALL_SITE());                                                                \
  }                                                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_##name##_next(long* first, long* last) {                                     \
    return next_bounds(first, last);                                                                        \
  }                                                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step, Ull chunk,         \
                                                  Ull* first, Ull* last) {                                  \
    return start_unsigned(with_chunk(kind, chunk), up, start, end, step, first, last, HEDDLE_CALL_SITE());  \
  }                                                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_next(Ull* first, Ull* last) {                                   \
    return next_bounds(first, last);                                                                        \
  }                                                                                                         \
  HEDDLE_EXPORT void GOMP_parallel_loop_##name(Function fn, void* data, unsigned threads, long start,       \
                                               long end, long step, long chunk, unsigned flags) {           \
    run_loop_region(fn, data, threads, flags, with_chunk(kind, static_cast<std::uint64_t>(chunk)), start,   \
                    end, step, HEDDLE_TOLD_REGION());                                                       \
  }

HEDDLE_GOMP_LOOP(static, ScheduleKind::kStatic)
HEDDLE_GOMP_LOOP(dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_LOOP(guided, ScheduleKind::kGuided)
HEDDLE_GOMP_LOOP(nonmonotonic_dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_LOOP(nonmonotonic_guided, ScheduleKind::kGuided)

#define HEDDLE_GOMP_RUNTIME_LOOP(name)                                                                     \
  HEDDLE_EXPORT bool GOMP_loop_##name##_start(long start, long end, long step, long* first, long* last) {  \
    return start_signed(runtime_schedule(), start, end, step, first, last, HEDDLE_CALL_SITE());            \
  }                                                                                                        \
  HEDDLE_EXPORT bool GOMP_loop_##name##_next(long* first, long* last) {                                    \
    return next_bounds(first, last);                                                                       \
  }                                                                                                        \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step, Ull* first,       \
                                                  Ull* last) {                                             \
    return start_unsigned(runtime_schedule(), up, start, end, step, first, last, HEDDLE_CALL_SITE());      \
  }                                                                                                        \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_next(Ull* first, Ull* last) {                                  \
    return next_bounds(first, last);                                                                       \
  }                                                                                                        \
  HEDDLE_EXPORT void GOMP_parallel_loop_##name(Function fn, void* data, unsigned threads, long start,      \
                                               long end, long step, unsigned flags) {                      \
    run_loop_region(fn, data, threads, flags, runtime_schedule(), start, end, step, HEDDLE_TOLD_REGION()); \
  }

HEDDLE_GOMP_RUNTIME_LOOP(runtime)
HEDDLE_GOMP_RUNTIME_LOOP(nonmonotonic_runtime)
HEDDLE_GOMP_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

namespace {

void end_loop(CallSite where) {
  Member& me = this_member();
  leave_loop(me);
  if (has_tool()) [[unlikely]]
    tell_loop_ends(me, where);
  const ToolSync told(me, ompt_sync_region_barrier_implicit_workshare, where);
  barrier(me);
}
bool end_cancellable_loop(CallSite where) {
  Member& me = this_member();
  leave_loop(me);
  if (has_tool()) [[unlikely]]
    tell_loop_ends(me, where);
  const ToolSync told(me, ompt_sync_region_barrier_implicit_workshare, where);
  return cancellable_barrier(me);
}
void end_loop_without_barrier(CallSite where) {
  Member& me = this_member();
  leave_loop(me);
  if (has_tool()) [[unlikely]]
    tell_loop_ends(me, where);
}

}  // namespace

HEDDLE_EXPORT void GOMP_loop_end() {
  end_loop(HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT bool GOMP_loop_end_cancel() {
  return end_cancellable_loop(HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void GOMP_loop_end_nowait() {
  end_loop_without_barrier(HEDDLE_CALL_SITE());
}

// Sections are a dynamic loop over 1 … count; 0 says that none are left.
namespace {
unsigned next_section(CallSite where) {
  Member& me = this_member();
  IterationRange range;
  if (!loop_next(me, &range)) return 0;
  if (has_tool()) [[unlikely]]
    tell_section(me, where);
  return static_cast<unsigned>(range.first + 1);
}
unsigned start_sections(unsigned count, CallSite where) {
  Member& me = this_member();
  loop_enter(me, kSectionsSchedule, count);
  if (has_tool()) [[unlikely]]
    tell_loop_begins(me, ompt_work_sections, count, where);
  return next_section(where);
}
}  // namespace

HEDDLE_EXPORT unsigned GOMP_sections_start(unsigned count) {
  return start_sections(count, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
  share_with_team(reductions, memory);
  return start_sections(count, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT unsigned GOMP_sections_next() {
  return next_section(HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void GOMP_parallel_sections(Function fn, void* data, unsigned threads, unsigned count,
                                          unsigned flags) {
  run_loop_region(fn, data, threads, flags, kSectionsSchedule, 0, static_cast<long>(count), 1,
                  HEDDLE_TOLD_REGION());
}
HEDDLE_EXPORT void GOMP_sections_end() {
  end_loop(HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT bool GOMP_sections_end_cancel() {
  return end_cancellable_loop(HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void GOMP_sections_end_nowait() {
  end_loop_without_barrier(HEDDLE_CALL_SITE());
}
