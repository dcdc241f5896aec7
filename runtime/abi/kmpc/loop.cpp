// Worksharing loops: Clang's entry points, for loop variables of 4 and 8 bytes, signed and unsigned.
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "abi/kmpc/kmpc.hpp"
#include "abi/run_schedule.hpp"
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
  kStaticSteal = 44,
  kStaticBalancedChunked = 45,
  kOrderedFirst = 64,
  kOrderedLast = 72,
  kDistributeChunked = 91,
  kDistribute = 92,
  kModifiers = 3 << 29,  // monotonic, nonmonotonic: every schedule here is monotonic per thread
};

// Loop bounds are inclusive. The number of iterations, as unsigned; `upper` may be below `lower`: none.
template <class T>
std::uint64_t trip_count(T lower, T upper, std::make_signed_t<T> step) {
  using U = std::make_unsigned_t<T>;
  if (step > 0)
    return upper < lower ? 0
                         : std::uint64_t{static_cast<U>(static_cast<U>(upper) - static_cast<U>(lower))} /
                                   static_cast<U>(step) +
                               1;
  return lower < upper ? 0
                       : std::uint64_t{static_cast<U>(static_cast<U>(lower) - static_cast<U>(upper))} /
                                 static_cast<U>(-static_cast<U>(step)) +
                             1;
}

template <class T>
T value_at(T lower, std::uint64_t iteration, std::make_signed_t<T> step) {
  return static_cast<T>(static_cast<std::uint64_t>(lower) +
                        iteration * static_cast<std::uint64_t>(static_cast<std::int64_t>(step)));
}

// Static schedules: the calling thread's first chunk, and the stride to its next.
template <class T>
void static_init(std::int32_t schedule, std::int32_t* last, T* lower, T* upper, std::make_signed_t<T>* stride,
                 std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
  const Member& me = this_member();
  schedule &= ~kModifiers;
  // On the host a league has one team, whose threads share what is distributed.
  int number = me.number, size = me.team->size;
  if (schedule == kDistribute || schedule == kDistributeChunked) {
    number = 0;
    size = 1;
    schedule -= kDistribute - kStatic;
  }
  const std::uint64_t trip = trip_count(*lower, *upper, step);
  *last = 0;
  if (trip == 0) {
    *stride = step;
    return;
  }
  const T first = *lower;
  if (schedule == kStaticChunked || schedule == kStaticBalancedChunked) {
    const auto c = static_cast<std::uint64_t>(std::max<std::make_signed_t<T>>(chunk, 1));
    const auto n = static_cast<std::uint64_t>(number), s = static_cast<std::uint64_t>(size);
    *stride = static_cast<std::make_signed_t<T>>(static_cast<std::uint64_t>(static_cast<std::int64_t>(step)) *
                                                 c * s);
    *lower = value_at(first, n * c, step);
    *upper = value_at(first, n * c + c - 1, step);
    *last = (trip - 1) / c % s == n;
    return;
  }
  const IterationRange share = static_share(trip, number, size);
  *stride =
      static_cast<std::make_signed_t<T>>(static_cast<std::uint64_t>(static_cast<std::int64_t>(step)) * trip);
  if (share.count == 0) {  // an empty range, in the direction of the loop
    *lower = static_cast<T>(value_at(first, trip - 1, step) + static_cast<T>(step > 0 ? 1 : -1));
    *upper = value_at(first, trip - 1, step);
    return;
  }
  *lower = value_at(first, share.first, step);
  *upper = value_at(first, share.first + share.count - 1, step);
  *last = share.is_last;
}

Schedule decode(std::int32_t schedule, std::int64_t chunk) {
  schedule &= ~kModifiers;
  const auto c = static_cast<std::uint64_t>(std::max<std::int64_t>(chunk, 1));
  switch (schedule) {
    case kStaticChunked:
    case kStaticBalancedChunked:
      return {ScheduleKind::kStatic, c};
    case kStatic:
    case kAuto:
      return {ScheduleKind::kStatic, 0};
    case kDynamicChunked:
    case kStaticSteal:
      return {ScheduleKind::kDynamic, c};
    case kGuidedChunked:
      return {ScheduleKind::kGuided, c};
    case kRuntime:
      return run_schedule(this_member(), ScheduleKind::kStatic);
    default:
      if (schedule >= kOrderedFirst && schedule <= kOrderedLast)
        fatal("the ordered clause on a loop is not supported yet");
      fatal("loop schedule %d is not supported yet", schedule);
  }
}

template <class T>
void dispatch_init(std::int32_t schedule, T lower, T upper, std::make_signed_t<T> step,
                   std::make_signed_t<T> chunk) {
  Member& me = this_member();
  me.loop.start = static_cast<std::uint64_t>(lower);
  me.loop.step = static_cast<std::uint64_t>(static_cast<std::int64_t>(step));
  loop_enter(me, decode(schedule, chunk), trip_count(lower, upper, step));
}

template <class T>
std::int32_t dispatch_next(std::int32_t* last, T* lower, T* upper, std::make_signed_t<T>* stride) {
  Member& me = this_member();
  IterationRange range;
  if (!loop_next(me, &range)) {
    loop_leave(me);  // the program makes no further call for this loop
    return 0;
  }
  const auto step = static_cast<std::make_signed_t<T>>(me.loop.step);
  const T first = static_cast<T>(me.loop.start);
  *lower = value_at(first, range.first, step);
  *upper = value_at(first, range.first + range.count - 1, step);
  if (stride != nullptr) *stride = step;
  if (last != nullptr) *last = range.is_last;
  return 1;
}

}  // namespace

#define HEDDLE_KMPC_LOOP(suffix, T, S)                                                                    \
  HEDDLE_EXPORT void __kmpc_for_static_init_##suffix(Ident*, Gtid, std::int32_t schedule,                 \
                                                     std::int32_t* last, T* lower, T* upper, S* stride,   \
                                                     S step, S chunk) {                                   \
    static_init<T>(schedule, last, lower, upper, stride, step, chunk);                                    \
  }                                                                                                       \
  HEDDLE_EXPORT void __kmpc_dispatch_init_##suffix(Ident*, Gtid, std::int32_t schedule, T lower, T upper, \
                                                   S step, S chunk) {                                     \
    dispatch_init<T>(schedule, lower, upper, step, chunk);                                                \
  }                                                                                                       \
  HEDDLE_EXPORT std::int32_t __kmpc_dispatch_next_##suffix(Ident*, Gtid, std::int32_t* last, T* lower,    \
                                                           T* upper, S* stride) {                         \
    return dispatch_next<T>(last, lower, upper, stride);                                                  \
  }                                                                                                       \
  HEDDLE_EXPORT void __kmpc_dispatch_fini_##suffix(Ident*, Gtid) {}

HEDDLE_KMPC_LOOP(4, std::int32_t, std::int32_t)
HEDDLE_KMPC_LOOP(4u, std::uint32_t, std::int32_t)
HEDDLE_KMPC_LOOP(8, std::int64_t, std::int64_t)
HEDDLE_KMPC_LOOP(8u, std::uint64_t, std::int64_t)

HEDDLE_EXPORT void __kmpc_for_static_fini(Ident*, Gtid) {}
HEDDLE_EXPORT void __kmpc_dispatch_deinit(Ident*, Gtid) {
  loop_leave(this_member());
}
