// taskloop: GCC's entry points, signed (long) and unsigned (ull).
//
// The argument block begins with the bounds of the chunk, which each task gets for itself, and, with
// reductions, the descriptors as third word.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "abi/gomp/loop.hpp"
#include "abi/gomp/reduction.hpp"
#include "abi/gomp/task.hpp"
#include "abi/taskloop.hpp"
#include "tasking/create.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace {

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

// The ranges of a loop.
struct Loop : Taskloop {
  CompiledTask from;
  std::uint64_t start, step;
  TaskloopPartition partition;
  MemoryCache* home = nullptr;  // of a loop that outlives its construct; its arguments stand behind it

  Loop(const CompiledTask& compiled, unsigned task_flags, std::uint64_t its_start, std::uint64_t its_step,
       const TaskloopPartition& its_partition)
      : from(compiled), start(its_start), step(its_step), partition(its_partition) {
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
    const std::uint64_t by = step;
    std::uint64_t iteration = parts.chunk(first).first;
    std::uint64_t bound = start + iteration * by;
    const Function fn = from.fn;
    return run_chunks(me, task, first, last, [&](std::uint64_t t) {
      // A chunk may write to its firstprivate variables, which live in its arguments, behind the bounds.
      copy(arguments, pattern);
      const std::uint64_t count = parts.count(t, iteration);
      iteration += count;
      arguments[0] = bound;
      bound += count * by;
      arguments[1] = bound;
      fn(arguments);
    });
  }
};

// The frame of the construct goes away before the loop's tasks: so the loop takes the arguments along.
Loop& lasting(Member& me, const Loop& loop) {
  const auto bytes = static_cast<std::size_t>(loop.from.size);
  void* const memory = me.cache->allocate(sizeof(Loop) + bytes);
  Loop& copy = *new (memory) Loop(loop.from, loop.flags, loop.start, loop.step, loop.partition);
  copy.from.data = std::memcpy(static_cast<char*>(memory) + sizeof(Loop), loop.from.data, bytes);
  copy.home = me.cache;
  copy.release = [](Member& last, Taskloop& done) {
    const Loop& ended = static_cast<Loop&>(done);
    last.cache->release(&done, sizeof(Loop) + static_cast<std::size_t>(ended.from.size), *ended.home);
  };
  return copy;
}

struct LoopConstruct : TaskloopConstruct {
  CompiledTask from;
  unsigned long flags = 0;

  bool has(unsigned flag) const { return (flags & flag) != 0; }
  unsigned task_flags() const {
    unsigned result = 0;
    if (has(gomp::kUntied)) result |= Task::kUntied;
    if (has(gomp::kFinal)) result |= Task::kFinal;
    return result;
  }

  void begin_group(Member& me) const {
    taskgroup_begin(me);
    // An empty loop still registers its reductions: the program combines what they hold.
    if (has(gomp::kReduction)) register_reductions(me, static_cast<std::uintptr_t**>(from.data)[2]);
  }
  static void end_group(Member& me) { taskgroup_end(me); }

  bool has_ranges(const Member& me) const { return from.copy == nullptr && splits_ranges(me); }
  using Ranges = Loop;
  void start_ranges(Member& me, const TaskloopPartition& partition, bool is_undeferred,
                    std::optional<Ranges>& ranges) const {
    Loop& loop = ranges.emplace(from, task_flags(), start, step, partition);
    if (is_undeferred)
      start_taskloop(me, loop, TaskloopStart::kUndeferred);
    else if (has_group != 0)
      start_taskloop(me, loop, TaskloopStart::kHere);
    else
      start_taskloop(me, lasting(me, loop), TaskloopStart::kDeferred);
  }

  Task& make_chunk(Member& me, std::pair<std::uint64_t, std::uint64_t> chunk, bool /*is_last*/) const {
    Task& task = new_compiled_task(me, from, task_flags());
    copy_arguments(me, from, task);
    const auto [first, count] = chunk;
    auto* const bounds = static_cast<std::uint64_t*>(task.as<GccTask>().arguments);
    bounds[0] = start + first * step;
    bounds[1] = start + (first + count) * step;
    return task;
  }
  void execute_chunk(Member& me, Task& task) const {
    begin_undeferred(me, task, {});
    from.fn(task.as<GccTask>().arguments);
    end_undeferred(me, task);
  }
  static void submit_chunk(Member& me, Task& task, CallSite where, const ompt_dispatch_chunk_t& iterations) {
    if (me.is_observed) [[unlikely]]
      observe(&Observer::task_created, task, {where, {}, false, false, false, nullptr, iterations});
    submit(me, task, {});
  }
  static void end_chunks(Member&) {}

  const char* reason_against_record(const Member&) const {
    if (from.copy != nullptr) return "a taskloop captures a structure, array or object (not yet)";
    if (has(gomp::kReduction)) return "a taskloop has a reduction (not yet)";
    if (from.alignment > long{kCacheLine}) return "a taskloop captures data of large alignment (not yet)";
    return nullptr;
  }
  std::size_t captured_bytes() const { return static_cast<std::size_t>(from.size); }
  void* code() const { return reinterpret_cast<void*>(from.fn); }
  void capture(void* to) {
    std::memcpy(to, from.data, captured_bytes());
    std::memset(to, 0, std::min(captured_bytes(), kBoundsBytes));  // they have no value yet
    from.data = nullptr;
  }
  void execute_again(void* captured) const {
    LoopConstruct again = *this;
    again.from.data = captured;
    execute_taskloop(again, {});
  }
};

void taskloop(const CompiledTask& from, unsigned flags, unsigned long amount, std::uint64_t start,
              std::uint64_t step, std::uint64_t trip, CallSite where) {
  LoopConstruct loop;
  loop.from = from;
  if ((flags & gomp::kPriority) == 0) loop.from.priority = 0;
  loop.flags = flags;
  loop.start = start;
  loop.step = step;
  loop.trip = trip;
  loop.amount = amount;
  if (amount != 0) {
    const bool is_strict = (flags & gomp::kStrict) != 0;
    loop.clause = (flags & gomp::kGrainsize) == 0 ? TaskloopClause::kNumTasks
                  : is_strict                     ? TaskloopClause::kGrainsizeStrict
                                                  : TaskloopClause::kGrainsize;
  }
  loop.if_clause = (flags & gomp::kIf) != 0;
  loop.has_group = (flags & gomp::kNoGroup) == 0;
  execute_taskloop(loop, where);
}

}  // namespace

HEDDLE_EXPORT void GOMP_taskloop(Function fn, void* data, void (*copy)(void*, void*), long size,
                                 long alignment, unsigned flags, unsigned long num_tasks, int priority,
                                 long start, long end, long step) {
  taskloop({fn, data, copy, size, alignment, priority}, flags, num_tasks, static_cast<std::uint64_t>(start),
           static_cast<std::uint64_t>(step), trip_signed(start, end, step), HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_taskloop_ull(Function fn, void* data, void (*copy)(void*, void*), long size,
                                     long alignment, unsigned flags, unsigned long num_tasks, int priority,
                                     unsigned long long start, unsigned long long end,
                                     unsigned long long step) {
  taskloop({fn, data, copy, size, alignment, priority}, flags, num_tasks, start, step,
           trip_unsigned((flags & gomp::kUp) != 0, start, end, step), HEDDLE_CALL_SITE());
}
