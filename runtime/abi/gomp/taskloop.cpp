// taskloop: GCC's entry points, signed (long) and unsigned (ull).
//
// The argument block begins with the bounds of the chunk, which each task gets for itself, and, with
// reductions, the descriptors as third word.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

#include "abi/gomp/loop.hpp"
#include "abi/gomp/reduction.hpp"
#include "abi/gomp/task.hpp"
#include "abi/taskloop_partition.hpp"
#include "replay/taskgraph.hpp"
#include "tasking/create.hpp"
#include "tasking/taskloop.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"
#include "trace/observer.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace {

struct Bounds {
  std::uint64_t start, step, trip;
};

constexpr std::size_t kBoundsBytes = 2 * sizeof(std::uint64_t);

// Copies what stands behind the bounds in an argument block. Mostly that is a few words: their number is a
// constant then, and the copy no call. kOther: any number of bytes.
constexpr std::size_t kOther = SIZE_MAX;
template <std::size_t kWords>
struct CopyBehindBounds {
  std::size_t bytes;  // of the whole block
  void operator()(void* to, const void* from) const {
    auto* const target = static_cast<char*>(to) + kBoundsBytes;
    const auto* const source = static_cast<const char*>(from) + kBoundsBytes;
    if constexpr (kWords == kOther)
      std::memcpy(target, source, bytes - kBoundsBytes);
    else
      std::memcpy(target, source, kWords * sizeof(std::uint64_t));
  }
};

struct Loop : Taskloop {
  CompiledTask from;
  Bounds bounds;
  TaskloopPartition partition;
  MemoryCache* home = nullptr;  // of a loop that outlives its construct; its arguments stand behind it

  Loop(const CompiledTask& compiled, unsigned task_flags, const Bounds& its_bounds,
       const TaskloopPartition& its_partition)
      : from(compiled), bounds(its_bounds), partition(its_partition) {
    chunks = partition.tasks;
    payload_bytes = argument_bytes(from);
    flags = task_flags;
    priority = priority_of(from);
    prepare = [](const Taskloop& loop, Task& task) {
      task.as<RangeTask>().arguments = argument_block(static_cast<const Loop&>(loop).from, task);
    };
    run = [](Member& me, const Taskloop& loop, Task& task, std::uint64_t first, std::uint64_t last) {
      return static_cast<const Loop&>(loop).run_compiled(me, task, first, last);
    };
  }

  void put_bounds(std::uint64_t t, void* arguments) const {
    const auto [first, count] = partition.chunk(t);
    auto* const chunk = static_cast<std::uint64_t*>(arguments);
    chunk[0] = bounds.start + first * bounds.step;
    chunk[1] = bounds.start + (first + count) * bounds.step;
  }

  std::uint64_t run_compiled(Member& me, Task& task, std::uint64_t first, std::uint64_t last) const {
    const auto bytes = static_cast<std::size_t>(from.size);
    const auto run_with = [&](auto copy) { return run_copying(me, task, first, last, copy); };
    switch (bytes) {
      case kBoundsBytes:
        return run_with(CopyBehindBounds<0>{bytes});
      case kBoundsBytes + 1 * sizeof(std::uint64_t):
        return run_with(CopyBehindBounds<1>{bytes});
      case kBoundsBytes + 2 * sizeof(std::uint64_t):
        return run_with(CopyBehindBounds<2>{bytes});
      case kBoundsBytes + 3 * sizeof(std::uint64_t):
        return run_with(CopyBehindBounds<3>{bytes});
      default:
        return run_with(CopyBehindBounds<kOther>{bytes});
    }
  }

 private:
  template <class Copy>
  std::uint64_t run_copying(Member& me, Task& task, std::uint64_t first, std::uint64_t last,
                            Copy copy) const {
    auto* const arguments = static_cast<std::uint64_t*>(task.as<RangeTask>().arguments);
    const void* const pattern = from.data;
    // Of its own: the compiler does not know what the program's code leaves alone.
    const TaskloopPartition parts = partition;
    const std::uint64_t step = bounds.step;
    std::uint64_t iteration = parts.chunk(first).first;
    std::uint64_t bound = bounds.start + iteration * step;
    const Function fn = from.fn;
    return run_chunks(me, task, first, last, [&](std::uint64_t t) {
      // A chunk may write to its firstprivate variables, which live in its arguments, behind the bounds.
      copy(arguments, pattern);
      const std::uint64_t count = parts.count(t, iteration);
      iteration += count;
      arguments[0] = bound;
      bound += count * step;
      arguments[1] = bound;
      fn(arguments);
    });
  }
};

// The frame of the construct goes away before the loop's tasks: so the loop takes the arguments along.
Loop& lasting(Member& me, const Loop& loop) {
  const auto bytes = static_cast<std::size_t>(loop.from.size);
  void* const memory = me.cache->allocate(sizeof(Loop) + bytes);
  Loop& copy = *new (memory) Loop(loop.from, loop.flags, loop.bounds, loop.partition);
  copy.from.data = std::memcpy(static_cast<char*>(memory) + sizeof(Loop), loop.from.data, bytes);
  copy.home = me.cache;
  copy.release = [](Member& last, Taskloop& done) {
    const Loop& ended = static_cast<Loop&>(done);
    last.cache->release(&done, sizeof(Loop) + static_cast<std::size_t>(ended.from.size), *ended.home);
  };
  return copy;
}

// Each chunk's task is made at once, and so is its copy of the arguments: before the last chunk, which may
// write to what the objects among them are copied from.
void submit_every_chunk(Member& me, const Loop& loop, bool is_undeferred, CallSite where) {
  for (std::uint64_t t = 0; t < loop.chunks; ++t) {
    Task& task = new_compiled_task(me, loop.from, loop.flags);
    copy_arguments(me, loop.from, task);
    void* const arguments = task.as<GccTask>().arguments;
    loop.put_bounds(t, arguments);
    if (me.is_observed) [[unlikely]] {
      const auto [first, count] = loop.partition.chunk(t);
      observe(&Observer::task_created, task,
              {where,
               {},
               is_undeferred,
               false,
               false,
               nullptr,
               {loop.bounds.start + first * loop.bounds.step, count}});
    }
    if (is_undeferred) {
      begin_undeferred(me, task, {});
      loop.from.fn(arguments);
      end_undeferred(me, task);
    } else {
      submit(me, task, {});
    }
  }
}

void taskloop(const CompiledTask& from, unsigned flags, unsigned long num_tasks, const Bounds& bounds,
              CallSite where);

// A loop of a recorded region is a node: it is met again with the same arguments, which stand behind this.
struct alignas(kCacheLine) RecordedLoop {
  CompiledTask from;
  unsigned flags;
  unsigned long num_tasks;
  Bounds bounds;
};

void record_loop(Member& me, const CompiledTask& from, unsigned flags, unsigned long num_tasks,
                 const Bounds& bounds) {
  const char* against = nullptr;
  if (from.copy != nullptr) against = "a taskloop captures a structure, array or object (not yet)";
  if ((flags & gomp::kReduction) != 0) against = "a taskloop has a reduction (not yet)";
  if (from.alignment > long{kCacheLine}) against = "a taskloop captures data of large alignment (not yet)";
  if (against != nullptr) return refuse_to_record(me, against);
  const auto bytes = static_cast<std::size_t>(from.size);
  // All bytes are compared under HEDDLE_CHECK: what has no value yet, and what lies between members, is 0.
  std::vector<RecordedLoop> block(1 + (bytes + sizeof(RecordedLoop) - 1) / sizeof(RecordedLoop));
  std::memset(block.data(), 0, block.size() * sizeof(RecordedLoop));
  std::memcpy(&block[1], from.data, bytes);
  std::memset(&block[1], 0, std::min(bytes, kBoundsBytes));
  RecordedLoop& loop = block[0];
  loop.from.fn = from.fn;
  loop.from.size = from.size;
  loop.from.alignment = from.alignment;
  loop.from.priority = from.priority;
  loop.flags = flags;
  loop.num_tasks = num_tasks;
  loop.bounds = bounds;
  TaskBody body;
  body.run = [](void*, void* data) {
    auto* const again = static_cast<RecordedLoop*>(data);
    again->from.data = again + 1;
    taskloop(again->from, again->flags, again->num_tasks, again->bounds, {});
  };
  body.code = reinterpret_cast<void*>(from.fn);
  body.data = block.data();
  body.bytes = sizeof(RecordedLoop) + bytes;
  body.header_bytes = sizeof(RecordedLoop);
  body.alignment = alignof(RecordedLoop);
  body.waits_for_descendants = true;
  const bool is_undeferred = (flags & gomp::kNoGroup) == 0 || (flags & gomp::kIf) == 0;
  record_task(me, body, {}, is_undeferred ? Gate::kYes : Gate::kNo);
}

void taskloop(const CompiledTask& from, unsigned flags, unsigned long num_tasks, const Bounds& bounds,
              CallSite where) {
  Member& me = this_member();
  if (is_recording(me)) [[unlikely]] {
    if (!leaves_out_task(me)) record_loop(me, from, flags, num_tasks, bounds);
    const NotRecording here(me);
    return taskloop(from, flags, num_tasks, bounds, where);
  }
  observe(&Observer::work_begins, ompt_work_taskloop, bounds.trip, where);
  if ((flags & gomp::kNoGroup) == 0) {
    observe(&Observer::taskgroup_begins, where);
    taskgroup_begin(me);
    if ((flags & gomp::kReduction) != 0) register_reductions(me, static_cast<std::uintptr_t**>(from.data)[2]);
  }
  const TaskloopPartition partition = partition_taskloop(
      bounds.trip, num_tasks,
      num_tasks == 0 ? TaskloopClause::kNone
      : (flags & gomp::kGrainsize) != 0
          ? ((flags & gomp::kStrict) != 0 ? TaskloopClause::kGrainsizeStrict : TaskloopClause::kGrainsize)
          : TaskloopClause::kNumTasks,
      me.team->size);
  unsigned task_flags = 0;
  if ((flags & gomp::kUntied) != 0) task_flags |= Task::kUntied;
  if ((flags & gomp::kFinal) != 0) task_flags |= Task::kFinal;
  const bool is_undeferred = (flags & gomp::kIf) == 0 || me.context.task->is_final();
  Loop loop(from, task_flags, bounds, partition);
  const bool has_group = (flags & gomp::kNoGroup) == 0;
  if (from.copy != nullptr || !splits_ranges(me))
    submit_every_chunk(me, loop, is_undeferred, where);
  else if (is_undeferred)
    start_taskloop(me, loop, TaskloopStart::kUndeferred);
  else if (has_group)
    start_taskloop(me, loop, TaskloopStart::kHere);
  else
    start_taskloop(me, lasting(me, loop), TaskloopStart::kDeferred);
  if (has_group) {
    const SyncRegion sync(ompt_sync_region_taskgroup, where);
    taskgroup_end(me);
  }
  observe(&Observer::work_ends, ompt_work_taskloop, bounds.trip, where);
}

}  // namespace

HEDDLE_EXPORT void GOMP_taskloop(Function fn, void* data, void (*copy)(void*, void*), long size,
                                 long alignment, unsigned flags, unsigned long num_tasks, int priority,
                                 long start, long end, long step) {
  // An empty loop still registers its reductions: the program combines what they hold.
  taskloop(
      {fn, data, copy, size, alignment, (flags & gomp::kPriority) != 0 ? priority : 0}, flags, num_tasks,
      {static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(step), trip_signed(start, end, step)},
      HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_taskloop_ull(Function fn, void* data, void (*copy)(void*, void*), long size,
                                     long alignment, unsigned flags, unsigned long num_tasks, int priority,
                                     unsigned long long start, unsigned long long end,
                                     unsigned long long step) {
  const bool up = (flags & gomp::kUp) != 0;
  taskloop({fn, data, copy, size, alignment, (flags & gomp::kPriority) != 0 ? priority : 0}, flags, num_tasks,
           {start, step, trip_unsigned(up, start, end, step)}, HEDDLE_CALL_SITE());
}
