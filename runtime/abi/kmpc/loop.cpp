// Worksharing loops: Clang's entry points, for loop variables of 4 and 8 bytes, signed and unsigned.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "abi/defaults.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "loop/workshare.hpp"
#include "sys/fatal.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

// Values of the schedule argument.
enum : std::int32_t {
  kStaticChunked = 33,
  kStatic = 34,
  kDynamicChunked = 35,
  kGuidedChunked = 36,
  kRuntime = 37,
  kAuto = 38,
  kTrapezoidal = 39,
  kStaticGreedy = 40,
  kStaticBalanced = 41,
  kGuidedIterative = 42,
  kGuidedAnalytical = 43,
  kStaticSteal = 44,
  kStaticBalancedChunked = 45,
  kGuidedSimd = 46,
  kRuntimeSimd = 47,
  kPlainLast = 47,
  kDistributeChunked = 91,
  kDistribute = 92,
  // Variants of the plain values: ordered, and "not merged" with and without ordered.
  kOrderedOffset = 32,
  kNotMergedOffset = 128,
  kModifiers = 3 << 29,  // monotonic, nonmonotonic: every schedule here is monotonic per thread
};

template <class T>
T value_at(T lower, std::uint64_t iteration, std::make_signed_t<T> step) {
  return static_cast<T>(static_cast<std::uint64_t>(lower) +
                        iteration * static_cast<std::uint64_t>(static_cast<std::int64_t>(step)));
}

// Static schedules: first chunk and stride of share `number` of `size`.
// Inlined, and the next as well: a call hands nine arguments on, which takes as long as the rest.
template <class T>
[[gnu::always_inline]] inline void static_init(bool is_chunked, int number, int size, std::int32_t* last,
                                               T* lower, T* upper, std::make_signed_t<T>* stride,
                                               std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
  const std::uint64_t trip = trip_count(*lower, *upper, step);
  if (last != nullptr) *last = 0;
  const auto set_stride = [&](std::uint64_t iterations) {
    *stride = static_cast<std::make_signed_t<T>>(static_cast<std::uint64_t>(static_cast<std::int64_t>(step)) *
                                                 iterations);
  };
  if (trip == 0) {
    set_stride(1);
    return;
  }
  const T first = *lower;
  bool is_last;
  if (is_chunked) {
    const auto c = static_cast<std::uint64_t>(std::max<std::make_signed_t<T>>(chunk, 1));
    const auto n = static_cast<std::uint64_t>(number), s = static_cast<std::uint64_t>(size);
    set_stride(c * s);
    *lower = value_at(first, n * c, step);
    *upper = value_at(first, n * c + c - 1, step);
    is_last = (trip - 1) / c % s == n;
  } else {
    const IterationRange share = static_share(trip, number, size);
    set_stride(trip);
    if (share.count == 0) {  // an empty range, in the direction of the loop
      *lower = static_cast<T>(value_at(first, trip - 1, step) + static_cast<T>(step > 0 ? 1 : -1));
      *upper = value_at(first, trip - 1, step);
      return;
    }
    *lower = value_at(first, share.first, step);
    *upper = value_at(first, share.first + share.count - 1, step);
    is_last = share.is_last;
  }
  if (last != nullptr) *last = is_last;
}

// What Clang says in `where` that a static schedule is for.
ompt_work_t work_of(const Ident* where) {
  constexpr std::int32_t kSections = 0x400, kDistribute = 0x800;
  const std::int32_t flags = where != nullptr ? where->flags : 0;
  return (flags & kSections) != 0     ? ompt_work_sections
         : (flags & kDistribute) != 0 ? ompt_work_distribute
                                      : ompt_work_loop_static;
}

// The first chunk of its share of a static schedule.
void observe_share(ompt_work_t work, std::uint64_t start, std::uint64_t iterations, CallSite where) {
  if (iterations == 0 || work == ompt_work_distribute) return;
  if (work == ompt_work_sections)
    observe(&Observer::section_begins, where);
  else
    observe(&Observer::chunk_begins, start, iterations);
}

template <class T>
[[gnu::always_inline]] inline void for_static_init(std::int32_t schedule, std::int32_t* last, T* lower,
                                                   T* upper, std::make_signed_t<T>* stride,
                                                   std::make_signed_t<T> step, std::make_signed_t<T> chunk,
                                                   const Ident* source, CallSite where) {
  Member& me = this_member();
  if (has_observers()) [[unlikely]]
    observe(&Observer::loop_begins, work_of(source), trip_count(*lower, *upper, step), where);
  schedule &= ~kModifiers;
  int number = me.number, size = me.team->size;
  if (schedule == kDistribute || schedule == kDistributeChunked) {
    number = me.team->league.number;
    size = me.team->league.size;
    schedule -= kDistribute - kStatic;
  }
  const bool is_chunked = schedule == kStaticChunked || schedule == kStaticBalancedChunked;
  static_init(is_chunked, number, size, last, lower, upper, stride, step, chunk);
  if (has_observers()) [[unlikely]]
    observe_share(work_of(source), static_cast<std::uint64_t>(*lower), trip_count(*lower, *upper, step),
                  where);
}

// The calling team's part of a distributed loop, not chunked. Returns whether it has the last iteration.
template <class T>
bool take_team_part(T* lower, T* upper, std::make_signed_t<T> step) {
  const League& league = this_member().team->league;
  std::int32_t last = 0;
  std::make_signed_t<T> stride;
  static_init<T>(false, league.number, league.size, &last, lower, upper, &stride, step, 0);
  return last != 0;
}

// distribute and the loop in one: first the team's part, whose end the program wants to know, then the
// thread's.
template <class T>
void dist_for_static_init(std::int32_t schedule, std::int32_t* last, T* lower, T* upper, T* team_upper,
                          std::make_signed_t<T>* stride, std::make_signed_t<T> step,
                          std::make_signed_t<T> chunk, const Ident* source, CallSite where) {
  const bool has_last = take_team_part(lower, upper, step);
  *team_upper = *upper;
  for_static_init(schedule, last, lower, upper, stride, step, chunk, source, where);
  if (last != nullptr) *last = *last != 0 && has_last;
}

// One share a thread, in whole vectors.
std::uint64_t share_in_vectors(std::uint64_t trip, int team_size, std::uint64_t vector) {
  const auto size = static_cast<std::uint64_t>(team_size);
  const std::uint64_t share = trip / size + (trip % size != 0);
  return std::max<std::uint64_t>((share + vector - 1) / vector * vector, vector);
}

struct Decoded {
  Schedule schedule;
  bool is_ordered;
};

Decoded decode(std::int32_t value, std::int64_t chunk, std::uint64_t trip, int team_size) {
  value &= ~kModifiers;
  if (value > kPlainLast + kOrderedOffset && value < kNotMergedOffset)
    fatal("the program asks for a loop schedule number %d that LLVM 19 does not have", value);
  if (value >= kNotMergedOffset) value -= kNotMergedOffset;
  const bool is_ordered = value >= kStaticChunked + kOrderedOffset;
  if (is_ordered) value -= kOrderedOffset;
  const auto c = static_cast<std::uint64_t>(std::max<std::int64_t>(chunk, 1));
  switch (value) {
    case kStaticChunked:
      return {{ScheduleKind::kStatic, c}, is_ordered};
    case kStaticBalancedChunked:
      return {{ScheduleKind::kStatic, share_in_vectors(trip, team_size, c)}, is_ordered};
    case kStatic:
    case kStaticGreedy:
    case kStaticBalanced:
    case kAuto:
      return {{ScheduleKind::kStatic, 0}, is_ordered};
    case kDynamicChunked:
    case kStaticSteal:
      return {{ScheduleKind::kDynamic, c}, is_ordered};
    case kGuidedChunked:
    case kGuidedIterative:
    case kGuidedAnalytical:
    case kTrapezoidal:
      return {{ScheduleKind::kGuided, c}, is_ordered};
    case kGuidedSimd:
      return {{ScheduleKind::kGuided, c, c}, is_ordered};
    case kRuntimeSimd: {
      Schedule schedule = run_schedule(this_member(), ScheduleKind::kStatic);
      schedule.chunk = schedule.chunk != 0 ? schedule.chunk * c : share_in_vectors(trip, team_size, c);
      schedule.multiple = schedule.chunk;
      return {schedule, is_ordered};
    }
    case kRuntime:
      return {run_schedule(this_member(), ScheduleKind::kStatic), is_ordered};
    default:
      fatal("the program asks for a loop schedule number %d that LLVM 19 does not have", value);
  }
}

template <class T>
void dispatch_init(std::int32_t schedule, T lower, T upper, std::make_signed_t<T> step,
                   std::make_signed_t<T> chunk, CallSite where) {
  Member& me = this_member();
  me.loop.start = static_cast<std::uint64_t>(lower);
  me.loop.step = static_cast<std::uint64_t>(static_cast<std::int64_t>(step));
  const std::uint64_t trip = trip_count(lower, upper, step);
  const auto [decoded, is_ordered] = decode(schedule, chunk, trip, me.team->size);
  loop_enter(me, decoded, trip, is_ordered);
  observe(&Observer::loop_begins, loop_work_of(decoded.kind), trip, where);
}

template <class T>
std::int32_t dispatch_next(std::int32_t* last, T* lower, T* upper, std::make_signed_t<T>* stride,
                           CallSite where) {
  Member& me = this_member();
  IterationRange range;
  if (!loop_next(me, &range)) {
    loop_leave(me);  // the program makes no further call for this loop
    observe(&Observer::loop_ends, where);
    return 0;
  }
  observe(&Observer::chunk_begins, me.loop.start + range.first * me.loop.step, range.count);
  const auto step = static_cast<std::make_signed_t<T>>(me.loop.step);
  const T first = static_cast<T>(me.loop.start);
  *lower = value_at(first, range.first, step);
  *upper = value_at(first, range.first + range.count - 1, step);
  if (stride != nullptr) *stride = step;
  if (last != nullptr) *last = range.is_last;
  return 1;
}

}  // namespace

#define HEDDLE_KMPC_LOOP(suffix, T, S)                                                                      \
  HEDDLE_EXPORT void __kmpc_for_static_init_##suffix(Ident* source, Gtid, std::int32_t schedule,            \
                                                     std::int32_t* last, T* lower, T* upper, S* stride,     \
                                                     S step, S chunk) {                                     \
    for_static_init<T>(schedule, last, lower, upper, stride, step, chunk, source, HEDDLE_CALL_SITE());      \
  }                                                                                                         \
  HEDDLE_EXPORT void __kmpc_dispatch_init_##suffix(Ident*, Gtid, std::int32_t schedule, T lower, T upper,   \
                                                   S step, S chunk) {                                       \
    dispatch_init<T>(schedule, lower, upper, step, chunk, HEDDLE_CALL_SITE());                              \
  }                                                                                                         \
  HEDDLE_EXPORT std::int32_t __kmpc_dispatch_next_##suffix(Ident*, Gtid, std::int32_t* last, T* lower,      \
                                                           T* upper, S* stride) {                           \
    return dispatch_next<T>(last, lower, upper, stride, HEDDLE_CALL_SITE());                                \
  }                                                                                                         \
  HEDDLE_EXPORT void __kmpc_dispatch_fini_##suffix(Ident*, Gtid) {}                                         \
  HEDDLE_EXPORT void __kmpc_team_static_init_##suffix(Ident*, Gtid, std::int32_t* last, T* lower, T* upper, \
                                                      S* stride, S step, S chunk) {                         \
    const League& league = this_member().team->league;                                                      \
    static_init<T>(true, league.number, league.size, last, lower, upper, stride, step, chunk);              \
  }                                                                                                         \
  HEDDLE_EXPORT void __kmpc_dist_for_static_init_##suffix(Ident* source, Gtid, std::int32_t schedule,       \
                                                          std::int32_t* last, T* lower, T* upper,           \
                                                          T* team_upper, S* stride, S step, S chunk) {      \
    dist_for_static_init<T>(schedule, last, lower, upper, team_upper, stride, step, chunk, source,          \
                            HEDDLE_CALL_SITE());                                                            \
  }                                                                                                         \
  HEDDLE_EXPORT void __kmpc_dist_dispatch_init_##suffix(                                                    \
      Ident*, Gtid, std::int32_t schedule, std::int32_t* last, T lower, T upper, S step, S chunk) {         \
    const bool has_last = take_team_part(&lower, &upper, step);                                             \
    if (last != nullptr) *last = has_last;                                                                  \
    dispatch_init<T>(schedule, lower, upper, step, chunk, HEDDLE_CALL_SITE());                              \
  }

HEDDLE_KMPC_LOOP(4, std::int32_t, std::int32_t)
HEDDLE_KMPC_LOOP(4u, std::uint32_t, std::int32_t)
HEDDLE_KMPC_LOOP(8, std::int64_t, std::int64_t)
HEDDLE_KMPC_LOOP(8u, std::uint64_t, std::int64_t)

HEDDLE_EXPORT void __kmpc_for_static_fini(Ident*, Gtid) {
  observe(&Observer::loop_ends, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void __kmpc_dispatch_deinit(Ident*, Gtid) {
  Member& me = this_member();
  loop_leave(me);
  observe(&Observer::loop_ends, HEDDLE_CALL_SITE());
}

// Sections are a dynamic loop over more than there can be; the program knows how many there are.
HEDDLE_EXPORT std::int32_t __kmpc_next_section(Ident*, Gtid, std::int32_t count) {
  IterationRange range;
  Member& me = this_member();
  if (!loop_next(me, &range)) return count;
  observe(&Observer::section_begins, HEDDLE_CALL_SITE());
  return static_cast<std::int32_t>(std::min<std::uint64_t>(range.first, static_cast<std::uint64_t>(count)));
}
HEDDLE_EXPORT std::int32_t __kmpc_sections_init(Ident*, Gtid) {
  Member& me = this_member();
  loop_enter(me, kSectionsSchedule, std::uint64_t{1} << 40);
  observe(&Observer::loop_begins, ompt_work_sections, 0, HEDDLE_CALL_SITE());
  return 1;
}
HEDDLE_EXPORT void __kmpc_end_sections(Ident*, Gtid) {
  Member& me = this_member();
  loop_leave(me);
  observe(&Observer::loop_ends, HEDDLE_CALL_SITE());
}
