// Loops with an ordered clause, and doacross loop nests: GCC's entry points.
//
// In a doacross nest GCC numbers the iterations of each loop from 0; only the first loop's are shared out.
#include <array>
#include <cstdarg>
#include <vector>

#include "abi/gomp/iterations.hpp"
#include "abi/gomp/workshare_reduction.hpp"
#include "loop/doacross.hpp"
#include "loop/workshare.hpp"

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_EXPORT void GOMP_ordered_start() {
  Member& me = this_member();
  take_and_tell(ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE(), [&me] { ordered_begin(me); });
}
HEDDLE_EXPORT void GOMP_ordered_end() {
  Member& me = this_member();
  ordered_end(me);
  if (has_tool()) [[unlikely]]
    tell_mutex_released(ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE());
}

#define HEDDLE_GOMP_ORDERED_NEXT(name)                                            \
  HEDDLE_EXPORT bool GOMP_loop_ordered_##name##_next(long* first, long* last) {   \
    return next_bounds(first, last);                                              \
  }                                                                               \
  HEDDLE_EXPORT bool GOMP_loop_ull_ordered_##name##_next(Ull* first, Ull* last) { \
    return next_bounds(first, last);                                              \
  }

#define HEDDLE_GOMP_ORDERED_LOOP(name, kind)                                                                \
  HEDDLE_EXPORT bool GOMP_loop_ordered_##name##_start(long start, long end, long step, long chunk,          \
                                                      long* first, long* last) {                            \
    return start_signed(with_chunk(kind, static_cast<std::uint64_t>(chunk)), start, end, step, first, last, \
                        HEDDLE_CALL_SITE(), true);                                                          \
  }                                                                                                         \
  HEDDLE_EXPORT bool GOMP_loop_ull_ordered_##name##_start(bool up, Ull start, Ull end, Ull step, Ull chunk, \
                                                          Ull* first, Ull* last) {                          \
    return start_unsigned(with_chunk(kind, chunk), up, start, end, step, first, last, HEDDLE_CALL_SITE(),   \
                          true);                                                                            \
  }                                                                                                         \
  HEDDLE_GOMP_ORDERED_NEXT(name)

HEDDLE_GOMP_ORDERED_LOOP(static, ScheduleKind::kStatic)
HEDDLE_GOMP_ORDERED_LOOP(dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_ORDERED_LOOP(guided, ScheduleKind::kGuided)

HEDDLE_EXPORT bool GOMP_loop_ordered_runtime_start(long start, long end, long step, long* first, long* last) {
  return start_signed(runtime_schedule(), start, end, step, first, last, HEDDLE_CALL_SITE(), true);
}
HEDDLE_EXPORT bool GOMP_loop_ull_ordered_runtime_start(bool up, Ull start, Ull end, Ull step, Ull* first,
                                                       Ull* last) {
  return start_unsigned(runtime_schedule(), up, start, end, step, first, last, HEDDLE_CALL_SITE(), true);
}
HEDDLE_GOMP_ORDERED_NEXT(runtime)

HEDDLE_EXPORT bool GOMP_loop_ordered_start(long start, long end, long step, long schedule, long chunk,
                                           long* first, long* last, std::uintptr_t* reductions,
                                           void** memory) {
  share_with_team(reductions, memory);
  if (first == nullptr) return true;
  return start_signed(decode_schedule(schedule, static_cast<std::uint64_t>(chunk)), start, end, step, first,
                      last, HEDDLE_CALL_SITE(), true);
}
HEDDLE_EXPORT bool GOMP_loop_ull_ordered_start(bool up, Ull start, Ull end, Ull step, long schedule,
                                               Ull chunk, Ull* first, Ull* last, std::uintptr_t* reductions,
                                               void** memory) {
  share_with_team(reductions, memory);
  if (first == nullptr) return true;
  return start_unsigned(decode_schedule(schedule, chunk), up, start, end, step, first, last,
                        HEDDLE_CALL_SITE(), true);
}

namespace {

constexpr std::size_t kMostLoops = 256;

template <class Int>
bool start_doacross(Schedule schedule, unsigned loops, const Int* counts, Int* first, Int* last,
                    CallSite where) {
  std::vector<DoacrossLoop> nest(loops);
  if (counts[0] > 0)  // otherwise there is nothing to execute, and the inner counts may be anything
    for (unsigned i = 0; i < loops; ++i) nest[i].count = static_cast<std::uint64_t>(counts[i]);
  doacross_enter(this_member(), nest);
  enter_loop(schedule, nest[0].count, 0, 1, where);
  return next_bounds(first, last);
}

}  // namespace

#define HEDDLE_GOMP_DOACROSS(name, kind)                                                                   \
  HEDDLE_EXPORT bool GOMP_loop_doacross_##name##_start(unsigned loops, long* counts, long chunk,           \
                                                       long* first, long* last) {                          \
    return start_doacross(with_chunk(kind, static_cast<std::uint64_t>(chunk)), loops, counts, first, last, \
                          HEDDLE_CALL_SITE());                                                             \
  }                                                                                                        \
  HEDDLE_EXPORT bool GOMP_loop_ull_doacross_##name##_start(unsigned loops, Ull* counts, Ull chunk,         \
                                                           Ull* first, Ull* last) {                        \
    return start_doacross(with_chunk(kind, chunk), loops, counts, first, last, HEDDLE_CALL_SITE());        \
  }

HEDDLE_GOMP_DOACROSS(static, ScheduleKind::kStatic)
HEDDLE_GOMP_DOACROSS(dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_DOACROSS(guided, ScheduleKind::kGuided)

HEDDLE_EXPORT bool GOMP_loop_doacross_runtime_start(unsigned loops, long* counts, long* first, long* last) {
  return start_doacross(runtime_schedule(), loops, counts, first, last, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT bool GOMP_loop_ull_doacross_runtime_start(unsigned loops, Ull* counts, Ull* first, Ull* last) {
  return start_doacross(runtime_schedule(), loops, counts, first, last, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT bool GOMP_loop_doacross_start(unsigned loops, long* counts, long schedule, long chunk,
                                            long* first, long* last, std::uintptr_t* reductions,
                                            void** memory) {
  share_with_team(reductions, memory);
  return start_doacross(decode_schedule(schedule, static_cast<std::uint64_t>(chunk)), loops, counts, first,
                        last, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT bool GOMP_loop_ull_doacross_start(unsigned loops, Ull* counts, long schedule, Ull chunk,
                                                Ull* first, Ull* last, std::uintptr_t* reductions,
                                                void** memory) {
  share_with_team(reductions, memory);
  return start_doacross(decode_schedule(schedule, chunk), loops, counts, first, last, HEDDLE_CALL_SITE());
}

namespace {

void post(const std::int64_t* iteration) {
  Member& me = this_member();
  if (has_tool()) [[unlikely]]
    tell_iteration(me, iteration, doacross_loops(me), ompt_dependence_type_source);
  doacross_post(me, iteration);
}

}  // namespace

HEDDLE_EXPORT void GOMP_doacross_post(std::int64_t* iteration) {
  post(iteration);
}
HEDDLE_EXPORT void GOMP_doacross_ull_post(std::int64_t* iteration) {
  post(iteration);
}

// The numbers come as separate arguments of 64 bits, signed or not.
#define HEDDLE_GOMP_DOACROSS_WAIT(name)                                                \
  HEDDLE_EXPORT void name(std::int64_t first, ...) {                                   \
    Member& me = this_member();                                                        \
    const std::size_t loops = doacross_loops(me);                                      \
    std::array<std::int64_t, kMostLoops> iteration;                                    \
    iteration[0] = first;                                                              \
    va_list rest;                                                                      \
    va_start(rest, first);                                                             \
    for (std::size_t i = 1; i < loops; ++i) iteration[i] = va_arg(rest, std::int64_t); \
    va_end(rest);                                                                      \
    doacross_wait(me, iteration.data());                                               \
    if (has_tool() && doacross_has(me, iteration.data())) [[unlikely]]                 \
      tell_iteration(me, iteration.data(), loops, ompt_dependence_type_sink);          \
  }

HEDDLE_GOMP_DOACROSS_WAIT(GOMP_doacross_wait)
HEDDLE_GOMP_DOACROSS_WAIT(GOMP_doacross_ull_wait)
