// parallel, barrier, single, critical, atomic, taskgroup-free synchronisation: GCC's entry points.
#include <algorithm>
#include <memory>

#include "abi/defaults.hpp"
#include "abi/gomp/gomp.hpp"
#include "abi/gomp/loop.hpp"
#include "region/fork_join.hpp"
#include "suspend/locks.hpp"
#include "tasking/cancellation.hpp"
#include "team/team.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace heddle::gomp {
namespace {

// A region that GCC has compiled.
RegionCode code_of(Function fn, void* data) {
  return {[](Member&, const RegionCode& code) { reinterpret_cast<Function>(code.function)(code.argument); },
          reinterpret_cast<void (*)()>(fn), data};
}

}  // namespace

void run_region(Function fn, void* data, unsigned num_threads, unsigned flags, RegionRequest request) {
  request_binding(flags);
  parallel(threads_for(num_threads), code_of(fn, data), with_request(request, num_threads));
}

}  // namespace heddle::gomp

namespace {

FutexLock g_critical;  // of all critical constructs without a name
FutexLock g_atomic;    // of all atomic constructs that the processor cannot do in one instruction

}  // namespace

HEDDLE_EXPORT void GOMP_parallel(gomp::Function fn, void* data, unsigned num_threads, unsigned flags) {
  gomp::run_region(fn, data, num_threads, flags, HEDDLE_REGION_REQUEST());
}

HEDDLE_EXPORT void GOMP_barrier() {
  Member& me = this_member();
  const SyncRegion sync(ompt_sync_region_barrier_explicit, HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT bool GOMP_barrier_cancel() {
  Member& me = this_member();
  const SyncRegion sync(ompt_sync_region_barrier_explicit, HEDDLE_CALL_SITE());
  return cancellable_barrier(me);
}

namespace {

// The bits by which GCC names the construct: 1 parallel, 2 loop, 4 sections, 8 taskgroup.
CancelConstruct construct_of(int which) {
  return (which & 1) != 0   ? CancelConstruct::kParallel
         : (which & 8) != 0 ? CancelConstruct::kTaskgroup
                            : CancelConstruct::kWorkshare;
}
int cancel_flag_of(int which) {
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
  if (is_hit)
    observe(&Observer::cancelled,
            cancel_flag_of(which) | (condition ? ompt_cancel_activated : ompt_cancel_detected),
            HEDDLE_CALL_SITE());
  return is_hit;
}
HEDDLE_EXPORT bool GOMP_cancellation_point(int which) {
  Member& me = this_member();
  const bool is_hit = is_cancelled(me, construct_of(which));
  if (is_hit) observe(&Observer::cancelled, cancel_flag_of(which) | ompt_cancel_detected, HEDDLE_CALL_SITE());
  return is_hit;
}

HEDDLE_EXPORT bool GOMP_single_start() {
  Member& me = this_member();
  const bool is_mine = single_claim(me);
  observe(&Observer::single_begins, is_mine, HEDDLE_CALL_SITE());
  return is_mine;
}

// copyprivate: null tells the caller to execute the block and to hand its data to GOMP_single_copy_end.
HEDDLE_EXPORT void* GOMP_single_copy_start() {
  Member& me = this_member();
  const bool is_mine = single_claim(me);
  observe(&Observer::single_begins, is_mine, HEDDLE_CALL_SITE());
  if (is_mine) return nullptr;
  const SyncRegion sync(ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
  return me.team->broadcast.seen();
}
HEDDLE_EXPORT void GOMP_single_copy_end(void* data) {
  Member& me = this_member();
  me.team->broadcast = data;  // seen in GOMP_single_copy_start()
  const SyncRegion sync(ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT void GOMP_critical_start() {
  take_mutex(ompt_mutex_critical, &g_critical, HEDDLE_CALL_SITE(), [] { lock_in_task(g_critical); });
}
HEDDLE_EXPORT void GOMP_critical_end() {
  unlock_in_task(g_critical);
  observe(&Observer::mutex_released, ompt_mutex_critical, &g_critical, HEDDLE_CALL_SITE());
}

// GCC gives each name one pointer-sized common symbol, zero at the start: room for a lock.
HEDDLE_EXPORT void GOMP_critical_name_start(void** name) {
  take_mutex(ompt_mutex_critical, name, HEDDLE_CALL_SITE(),
             [name] { lock_in_task(*reinterpret_cast<FutexLock*>(name)); });
}
HEDDLE_EXPORT void GOMP_critical_name_end(void** name) {
  unlock_in_task(*reinterpret_cast<FutexLock*>(name));
  observe(&Observer::mutex_released, ompt_mutex_critical, name, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_atomic_start() {
  take_mutex(ompt_mutex_atomic, &g_atomic, HEDDLE_CALL_SITE(), [] { g_atomic.lock(); });
}
HEDDLE_EXPORT void GOMP_atomic_end() {
  g_atomic.unlock();
  observe(&Observer::mutex_released, ompt_mutex_atomic, &g_atomic, HEDDLE_CALL_SITE());
}

// -- parallel as GCC up to 4.8 lowered it: the program's code runs the body on the encountering thread
// between a start and GOMP_parallel_end. Kept for old binaries.

namespace {

// What the other threads execute. Freed when the region ends.
struct Call {
  Function fn;
  void* data;
  bool has_loop;
  Schedule schedule;
  long start, end, step;
};

void enter(const Call& c) {
  if (c.has_loop)
    enter_loop(c.schedule, trip_signed(c.start, c.end, c.step), static_cast<std::uint64_t>(c.start),
               static_cast<std::uint64_t>(c.step), {});
}

void start(const Call& given, unsigned threads) {
  auto* call = new Call(given);
  const RegionBody body = [](Member&, void* argument) {
    const Call& c = *static_cast<Call*>(argument);
    enter(c);
    c.fn(c.data);
  };
  begin_parallel(threads_for(threads), {body, call});
  enter(*call);
}

void start_loop(Function fn, void* data, unsigned threads, Schedule schedule, long first, long end,
                long step) {
  start({fn, data, true, schedule, first, end, step}, threads);
}

}  // namespace

HEDDLE_EXPORT void GOMP_parallel_start(Function fn, void* data, unsigned threads) {
  start({fn, data, false, {}, 0, 0, 0}, threads);
}

#define HEDDLE_GOMP_PARALLEL_LOOP_START(name, kind)                                                       \
  HEDDLE_EXPORT void GOMP_parallel_loop_##name##_start(Function fn, void* data, unsigned threads,         \
                                                       long first, long end, long step, long chunk) {     \
    start_loop(fn, data, threads, with_chunk(kind, static_cast<std::uint64_t>(chunk)), first, end, step); \
  }

HEDDLE_GOMP_PARALLEL_LOOP_START(static, ScheduleKind::kStatic)
HEDDLE_GOMP_PARALLEL_LOOP_START(dynamic, ScheduleKind::kDynamic)
HEDDLE_GOMP_PARALLEL_LOOP_START(guided, ScheduleKind::kGuided)

HEDDLE_EXPORT void GOMP_parallel_loop_runtime_start(Function fn, void* data, unsigned threads, long first,
                                                    long end, long step) {
  start_loop(fn, data, threads, runtime_schedule(), first, end, step);
}

HEDDLE_EXPORT void GOMP_parallel_sections_start(Function fn, void* data, unsigned threads, unsigned count) {
  start_loop(fn, data, threads, kSectionsSchedule, 0, static_cast<long>(count), 1);
}

HEDDLE_EXPORT void GOMP_parallel_end() {
  const std::unique_ptr<Call> call(static_cast<Call*>(this_member().team->start.code.argument));
  end_parallel();  // waits until no thread of the team needs the call any more
}

// -- teams: GCC's entry points. On the host GCC hands over the body; inside a target region it loops over the
// teams itself.

namespace {

// What libgomp's manual promises (OMP_NUM_TEAMS), and programs count on.
constexpr int kTeamsOfGcc = 3;

}  // namespace

HEDDLE_EXPORT void GOMP_teams_reg(Function fn, void* data, unsigned teams, unsigned thread_limit,
                                  unsigned /*flags*/) {
  RegionRequest request = with_request(HEDDLE_REGION_REQUEST(), teams);
  request.flags = ompt_parallel_invoker_program | ompt_parallel_league;
  league(league_size(static_cast<int>(teams), kTeamsOfGcc),
         league_thread_limit(static_cast<int>(thread_limit)), code_of(fn, data), request);
}

// Called before each team's turn; false says that all have had theirs.
HEDDLE_EXPORT bool GOMP_teams4(unsigned /*lowest*/, unsigned highest, unsigned thread_limit, bool is_first) {
  Member& me = this_member();
  League& current = me.team->league;
  if (is_first) {
    current = {league_size(static_cast<int>(highest)), 0};
    if (const int limit = league_thread_limit(static_cast<int>(thread_limit)); limit > 0)
      change_environment(me, [&](DataEnvironment& e) { e.thread_limit = limit; });
    return true;
  }
  if (current.number + 1 < current.size) {
    ++current.number;
    return true;
  }
  current = {};
  return false;
}

// Before GCC 12: a league of one, whatever num_teams says.
HEDDLE_EXPORT void GOMP_teams(unsigned /*teams*/, unsigned thread_limit) {
  if (const int limit = league_thread_limit(static_cast<int>(thread_limit)); limit > 0)
    change_environment(this_member(), [&](DataEnvironment& e) { e.thread_limit = limit; });
}
