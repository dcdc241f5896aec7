// parallel as GCC up to 4.8 lowered it: the program's code runs the body on the encountering thread between a
// start and GOMP_parallel_end. Kept for old binaries.
#include <memory>

#include "abi/gomp/iterations.hpp"
#include "region/fork_join.hpp"

using namespace heddle;
using namespace heddle::gomp;

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
  begin_parallel(
      threads_for(threads),
      [](Member&, void* argument) {
        const Call& c = *static_cast<Call*>(argument);
        enter(c);
        c.fn(c.data);
      },
      call);
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
  const std::unique_ptr<Call> call(static_cast<Call*>(this_member().team->argument));
  end_parallel();  // waits until no thread of the team needs the call any more
}
