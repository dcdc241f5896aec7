// Worksharing loops and sections: GCC's entry points, in their signed (long) and unsigned (ull) forms.
//
// GCC computes static schedules itself; it calls static entry points only with `ordered` or for
// schedule(runtime).
#include "abi/gomp/loop.hpp"

#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "abi/gomp/reduction.hpp"
#include "loop/doacross.hpp"
#include "loop/workshare.hpp"
#include "region/fork_join.hpp"
#include "sys/fatal.hpp"
#include "tasking/wait.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace {

// A combined construct: every member enters the loop before the compiled body asks for its first iterations.
void run_loop_region(Function fn, void* data, unsigned threads, unsigned flags, Schedule schedule, long start,
                     long end, long step, RegionRequest request) {
  struct Call {
    Function fn;
    void* data;
    Schedule schedule;
    long start, end, step;
    CallSite where;
  } call{fn, data, schedule, start, end, step, request.where};
  request_binding(flags);
  parallel(
      threads_for(threads),
      [](Member&, void* argument) {
        const Call& c = *static_cast<Call*>(argument);
        enter_loop(c.schedule, trip_signed(c.start, c.end, c.step), static_cast<std::uint64_t>(c.start),
                   static_cast<std::uint64_t>(c.step), c.where);
        c.fn(c.data);
      },
      &call, with_request(request, threads));
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
                    end, step, HEDDLE_REGION_REQUEST());                                                    \
  }

HEDDLE_GOMP_LOOP(static, ScheduleKind::kStatic)
HEDDLE_GOMP_LOOP(dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_LOOP(guided, ScheduleKind::kGuided)
HEDDLE_GOMP_LOOP(nonmonotonic_dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_LOOP(nonmonotonic_guided, ScheduleKind::kGuided)

#define HEDDLE_GOMP_RUNTIME_LOOP(name)                                                                    \
  HEDDLE_EXPORT bool GOMP_loop_##name##_start(long start, long end, long step, long* first, long* last) { \
    return start_signed(runtime_schedule(), start, end, step, first, last, HEDDLE_CALL_SITE());           \
  }                                                                                                       \
  HEDDLE_EXPORT bool GOMP_loop_##name##_next(long* first, long* last) {                                   \
    return next_bounds(first, last);                                                                      \
  }                                                                                                       \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_start(bool up, Ull start, Ull end, Ull step, Ull* first,      \
                                                  Ull* last) {                                            \
    return start_unsigned(runtime_schedule(), up, start, end, step, first, last, HEDDLE_CALL_SITE());     \
  }                                                                                                       \
  HEDDLE_EXPORT bool GOMP_loop_ull_##name##_next(Ull* first, Ull* last) {                                 \
    return next_bounds(first, last);                                                                      \
  }                                                                                                       \
  HEDDLE_EXPORT void GOMP_parallel_loop_##name(Function fn, void* data, unsigned threads, long start,     \
                                               long end, long step, unsigned flags) {                     \
    run_loop_region(fn, data, threads, flags, runtime_schedule(), start, end, step,                       \
                    HEDDLE_REGION_REQUEST());                                                             \
  }

HEDDLE_GOMP_RUNTIME_LOOP(runtime)
HEDDLE_GOMP_RUNTIME_LOOP(nonmonotonic_runtime)
HEDDLE_GOMP_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

namespace {

void end_loop(CallSite where) {
  Member& me = this_member();
  leave_loop(me);
  observe(&Observer::loop_ends, where);
  const SyncRegion sync(ompt_sync_region_barrier_implicit_workshare, where);
  barrier(me);
}
bool end_cancellable_loop(CallSite where) {
  Member& me = this_member();
  leave_loop(me);
  observe(&Observer::loop_ends, where);
  const SyncRegion sync(ompt_sync_region_barrier_implicit_workshare, where);
  return cancellable_barrier(me);
}
void end_loop_without_barrier(CallSite where) {
  Member& me = this_member();
  leave_loop(me);
  observe(&Observer::loop_ends, where);
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
  observe(&Observer::section_begins, where);
  return static_cast<unsigned>(range.first + 1);
}
unsigned start_sections(unsigned count, CallSite where) {
  Member& me = this_member();
  loop_enter(me, kSectionsSchedule, count);
  observe(&Observer::loop_begins, ompt_work_sections, count, where);
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
                  HEDDLE_REGION_REQUEST());
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

// -- Loops with an ordered clause, and doacross loop nests: GCC's entry points.
//
// In a doacross nest GCC numbers the iterations of each loop from 0; only the first loop's are shared out.

HEDDLE_EXPORT void GOMP_ordered_start() {
  Member& me = this_member();
  take_mutex(ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE(), [&me] { ordered_begin(me); });
}
HEDDLE_EXPORT void GOMP_ordered_end() {
  Member& me = this_member();
  ordered_end(me);
  observe(&Observer::mutex_released, ompt_mutex_ordered, &me.team->tool_data, HEDDLE_CALL_SITE());
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
  if (has_observers()) [[unlikely]]
    observe(&Observer::iteration, iteration, doacross_loops(me), ompt_dependence_type_source);
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
#define HEDDLE_GOMP_DOACROSS_WAIT(name)                                                  \
  HEDDLE_EXPORT void name(std::int64_t first, ...) {                                     \
    Member& me = this_member();                                                          \
    const std::size_t loops = doacross_loops(me);                                        \
    std::array<std::int64_t, kMostLoops> iteration;                                      \
    iteration[0] = first;                                                                \
    va_list rest;                                                                        \
    va_start(rest, first);                                                               \
    for (std::size_t i = 1; i < loops; ++i) iteration[i] = va_arg(rest, std::int64_t);   \
    va_end(rest);                                                                        \
    doacross_wait(me, iteration.data());                                                 \
    if (has_observers() && doacross_has(me, iteration.data())) [[unlikely]]              \
      observe(&Observer::iteration, iteration.data(), loops, ompt_dependence_type_sink); \
  }

HEDDLE_GOMP_DOACROSS_WAIT(GOMP_doacross_wait)
HEDDLE_GOMP_DOACROSS_WAIT(GOMP_doacross_ull_wait)

namespace heddle::gomp {
namespace {

struct Shared {
  std::vector<void*> copies;  // empty without reductions
  void* memory = nullptr;
};

struct Request {
  Member& me;
  std::uintptr_t* reductions;
  std::size_t bytes;
};

void* make(void* argument) {
  const Request& request = *static_cast<Request*>(argument);
  auto* shared = new Shared;
  if (request.reductions != nullptr)
    shared->copies = allocate_copies(request.reductions, request.me.team->size);
  if (request.bytes != 0) {
    shared->memory = std::calloc(1, request.bytes);
    if (shared->memory == nullptr) fatal("no memory left for %zu bytes that a loop shares", request.bytes);
  }
  return shared;
}

void dispose(void* argument) {
  auto* shared = static_cast<Shared*>(argument);
  for (void* block : shared->copies) std::free(block);
  std::free(shared->memory);
  delete shared;
}

void leave_companion(Member& me) {
  if (me.loop.companion == nullptr) return;
  Workshare& companion = *me.loop.companion;
  me.loop.companion = nullptr;
  workshare_leave(me, companion);
}

bool shares_reductions(const Member& me) {
  return me.loop.companion != nullptr && !static_cast<Shared*>(me.loop.companion->shared)->copies.empty();
}

}  // namespace

void share_with_team(std::uintptr_t* reductions, void** memory) {
  const std::size_t bytes = memory != nullptr ? reinterpret_cast<std::size_t>(*memory) : 0;
  if (reductions == nullptr && bytes == 0) return;
  Member& me = this_member();
  Request request{me, reductions, bytes};
  me.loop.companion = &workshare_enter(me, make, &request, dispose);
  const Shared& shared = *static_cast<Shared*>(me.loop.companion->shared);
  if (reductions != nullptr) {
    observe(&Observer::taskgroup_begins, {});
    taskgroup_begin_of_construct(me);
    place_copies(reductions, shared.copies, me.team->size);
    register_placed(me, reductions);
  }
  if (bytes != 0) *memory = shared.memory;
}

void leave_loop(Member& me) {
  loop_leave(me);
  doacross_leave(me);
  // Copies of reductions are still to be combined; their construct ends with an entry point of its own.
  if (!shares_reductions(me)) leave_companion(me);
}

}  // namespace heddle::gomp

HEDDLE_EXPORT bool GOMP_loop_start(long start, long end, long step, long schedule, long chunk, long* first,
                                   long* last, std::uintptr_t* reductions, void** memory) {
  share_with_team(reductions, memory);
  if (first == nullptr) return true;  // a static schedule, which the program computes itself
  return start_signed(decode_schedule(schedule, static_cast<std::uint64_t>(chunk)), start, end, step, first,
                      last, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT bool GOMP_loop_ull_start(bool up, Ull start, Ull end, Ull step, long schedule, Ull chunk,
                                       Ull* first, Ull* last, std::uintptr_t* reductions, void** memory) {
  share_with_team(reductions, memory);
  if (first == nullptr) return true;
  return start_unsigned(decode_schedule(schedule, chunk), up, start, end, step, first, last,
                        HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_scope_start(std::uintptr_t* reductions) {
  share_with_team(reductions, nullptr);
}

// The end of a construct with reduction(task, …): one thread has combined the copies.
HEDDLE_EXPORT void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
  Member& me = this_member();
  {
    const SyncRegion sync(ompt_sync_region_taskgroup, HEDDLE_CALL_SITE());
    taskgroup_end(me);
  }
  leave_companion(me);
  if (is_cancelled) return;
  const SyncRegion sync(ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT unsigned GOMP_parallel_reductions(Function fn, void* data, unsigned threads, unsigned flags) {
  request_binding(flags);
  struct Call {
    Function fn;
    void* data;
    std::uintptr_t* reductions;
    unsigned team_size;
  } call{fn, data, *static_cast<std::uintptr_t**>(data), 1};
  const int size = threads_for(threads);
  place_copies(call.reductions, allocate_copies(call.reductions, size), size);
  parallel(
      size,
      [](Member& me, void* argument) {
        Call& c = *static_cast<Call*>(argument);
        if (me.number == 0) c.team_size = static_cast<unsigned>(me.team->size);
        observe(&Observer::taskgroup_begins, {});
        taskgroup_begin_of_construct(me);
        me.context.task->group->reductions = c.reductions;
        c.fn(c.data);
        const SyncRegion sync(ompt_sync_region_taskgroup, {});
        taskgroup_end(me);
      },
      &call, with_request(HEDDLE_REGION_REQUEST(), threads));
  return call.team_size;  // so many copies are to be combined; the program then frees them
}
