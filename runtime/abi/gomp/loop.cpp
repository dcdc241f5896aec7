// Worksharing loops and sections: GCC's entry points, in their signed (long) and unsigned (ull) forms.
//
// GCC computes static schedules itself; it calls static entry points only with `ordered` or for
// schedule(runtime).
#include <cstdint>

#include "abi/gomp/gomp.hpp"
#include "abi/run_schedule.hpp"
#include "sys/fatal.hpp"

using namespace heddle;

namespace {

using Ull = unsigned long long;

std::uint64_t trip_signed(long start, long end, long step) {
  if (step > 0 ? start >= end : start <= end) return 0;
  const auto distance = step > 0 ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start)
                                 : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(end);
  const std::uint64_t magnitude =
      step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  return (distance - 1) / magnitude + 1;
}

std::uint64_t trip_unsigned(bool up, Ull start, Ull end, Ull step) {
  if (up ? start >= end : start <= end) return 0;
  return up ? (end - start - 1) / step + 1 : (start - end - 1) / (0 - step) + 1;
}

template <class Int>
bool next(Int* first, Int* last) {
  Member& me = this_member();
  IterationRange range;
  if (!loop_next(me, &range)) return false;
  *first = static_cast<Int>(me.loop.start + range.first * me.loop.step);
  *last = static_cast<Int>(me.loop.start + (range.first + range.count) * me.loop.step);
  return true;
}

void enter(Schedule schedule, std::uint64_t trip, std::uint64_t start, std::uint64_t step) {
  Member& me = this_member();
  me.loop.start = start;
  me.loop.step = step;
  loop_enter(me, schedule, trip);
}

Schedule with_chunk(ScheduleKind kind, std::uint64_t chunk) {
  return {kind, chunk};
}
Schedule runtime_schedule() {
  return run_schedule(this_member(), ScheduleKind::kDynamic);
}

bool start_signed(Schedule schedule, long start, long end, long step, long* first, long* last) {
  enter(schedule, trip_signed(start, end, step), static_cast<std::uint64_t>(start),
        static_cast<std::uint64_t>(step));
  return next(first, last);
}
bool start_unsigned(Schedule schedule, bool up, Ull start, Ull end, Ull step, Ull* first, Ull* last) {
  enter(schedule, trip_unsigned(up, start, end, step), start, step);
  return next(first, last);
}

// A combined construct: every member enters the loop before the compiled body asks for its first iterations.
void run_loop_region(gomp::Function fn, void* data, unsigned threads, Schedule schedule, long start, long end,
                     long step) {
  struct Call {
    gomp::Function fn;
    void* data;
    Schedule schedule;
    long start, end, step;
  } call{fn, data, schedule, start, end, step};
  parallel(
      gomp::threads_for(threads),
      [](Member&, void* argument) {
        const Call& c = *static_cast<Call*>(argument);
        enter(c.schedule, trip_signed(c.start, c.end, c.step), static_cast<std::uint64_t>(c.start),
              static_cast<std::uint64_t>(c.step));
        c.fn(c.data);
      },
      &call);
}

// Bits of the `schedule` argument of GOMP_loop_start and GOMP_loop_ull_start.
Schedule decode_schedule(long schedule, std::uint64_t chunk) {
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

}  // namespace

#define HEDDLE_GOMP_LOOP(name, kind)                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_##name##_start(long start, long end, long step, long chunk, long* first,      \
                                              long* last) {                                                  \
    return start_signed(with_chunk(kind, static_cast<std::uint64_t>(chunk)), start, end, step, first, last); \
  }                                                                                                          \
  HEDDLE_EXPORT bool GOMP_loop_##name##_next(long* first, long* last) {                                      \
    return next(first, last);                                                                                \
  }                                                                                                          \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step, Ull chunk,          \
                                                  Ull* first, Ull* last) {                                   \
    return start_unsigned(with_chunk(kind, chunk), up, start, end, step, first, last);                       \
  }                                                                                                          \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_next(Ull* first, Ull* last) {                                    \
    return next(first, last);                                                                                \
  }                                                                                                          \
  HEDDLE_EXPORT void GOMP_parallel_loop_##name(gomp::Function fn, void* data, unsigned threads, long start,  \
                                               long end, long step, long chunk, unsigned /*flags*/) {        \
    run_loop_region(fn, data, threads, with_chunk(kind, static_cast<std::uint64_t>(chunk)), start, end,      \
                    step);                                                                                   \
  }

HEDDLE_GOMP_LOOP(static, ScheduleKind::kStatic)
HEDDLE_GOMP_LOOP(dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_LOOP(guided, ScheduleKind::kGuided)
HEDDLE_GOMP_LOOP(nonmonotonic_dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_LOOP(nonmonotonic_guided, ScheduleKind::kGuided)

#define HEDDLE_GOMP_RUNTIME_LOOP(name)                                                                      \
  HEDDLE_EXPORT bool GOMP_loop_##name##_start(long start, long end, long step, long* first, long* last) {   \
    return start_signed(runtime_schedule(), start, end, step, first, last);                                 \
  }                                                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_##name##_next(long* first, long* last) {                                     \
    return next(first, last);                                                                               \
  }                                                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step, Ull* first,        \
                                                  Ull* last) {                                              \
    return start_unsigned(runtime_schedule(), up, start, end, step, first, last);                           \
  }                                                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_next(Ull* first, Ull* last) {                                   \
    return next(first, last);                                                                               \
  }                                                                                                         \
  HEDDLE_EXPORT void GOMP_parallel_loop_##name(gomp::Function fn, void* data, unsigned threads, long start, \
                                               long end, long step, unsigned /*flags*/) {                   \
    run_loop_region(fn, data, threads, runtime_schedule(), start, end, step);                               \
  }

HEDDLE_GOMP_RUNTIME_LOOP(runtime)
HEDDLE_GOMP_RUNTIME_LOOP(nonmonotonic_runtime)
HEDDLE_GOMP_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

// GCC 9 and later: one entry for loops with task reductions or conditional lastprivate; only the plain form
// is known.
HEDDLE_EXPORT bool GOMP_loop_start(long start, long end, long step, long schedule, long chunk, long* first,
                                   long* last, std::uintptr_t* reductions, void** memory) {
  if (reductions != nullptr) fatal("reduction(task, …) on a worksharing loop is not supported yet");
  if (memory != nullptr)
    fatal("scan and lastprivate(conditional:) on a worksharing loop are not supported yet");
  const Schedule decoded = decode_schedule(schedule, static_cast<std::uint64_t>(chunk));
  if (first != nullptr) return start_signed(decoded, start, end, step, first, last);
  return true;
}

HEDDLE_EXPORT void GOMP_loop_end() {
  Member& me = this_member();
  loop_leave(me);
  barrier(me);
}
HEDDLE_EXPORT bool GOMP_loop_end_cancel() {
  GOMP_loop_end();
  return false;
}
HEDDLE_EXPORT void GOMP_loop_end_nowait() {
  loop_leave(this_member());
}

// Sections are a dynamic loop over 1 … count; 0 says that none are left.
namespace {
unsigned next_section() {
  IterationRange range;
  return loop_next(this_member(), &range) ? static_cast<unsigned>(range.first + 1) : 0;
}
}  // namespace

HEDDLE_EXPORT unsigned GOMP_sections_start(unsigned count) {
  loop_enter(this_member(), with_chunk(ScheduleKind::kDynamic, 1), count);
  return next_section();
}
HEDDLE_EXPORT unsigned GOMP_sections_next() {
  return next_section();
}
HEDDLE_EXPORT void GOMP_parallel_sections(gomp::Function fn, void* data, unsigned threads, unsigned count,
                                          unsigned /*flags*/) {
  run_loop_region(fn, data, threads, with_chunk(ScheduleKind::kDynamic, 1), 0, static_cast<long>(count), 1);
}
HEDDLE_EXPORT void GOMP_sections_end() {
  GOMP_loop_end();
}
HEDDLE_EXPORT bool GOMP_sections_end_cancel() {
  return GOMP_loop_end_cancel();
}
HEDDLE_EXPORT void GOMP_sections_end_nowait() {
  GOMP_loop_end_nowait();
}
