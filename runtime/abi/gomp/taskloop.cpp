// taskloop: GCC's entry points, signed (long) and unsigned (ull).
//
// The argument block begins with the bounds of the chunk, which each task gets for itself, and, with
// reductions, the descriptors as third word.
#include <algorithm>
#include <cstdint>

#include "abi/gomp/loop.hpp"
#include "abi/gomp/task_payload.hpp"
#include "abi/gomp/task_reduction.hpp"
#include "abi/taskloop_partition.hpp"
#include "sys/fatal.hpp"
#include "team/tasking.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace {

struct Bounds {
  std::uint64_t start, step, trip;
};

void taskloop(const CompiledTask& from, unsigned flags, unsigned long num_tasks, const Bounds& bounds) {
  Member& me = this_member();
  if ((flags & gomp::kNoGroup) == 0) {
    taskgroup_begin(me);
    if ((flags & gomp::kReduction) != 0) register_reductions(me, static_cast<std::uintptr_t**>(from.data)[2]);
  }
  TaskloopPartition partition = partition_taskloop(
      bounds.trip, num_tasks,
      num_tasks == 0 ? TaskloopClause::kNone
      : (flags & gomp::kGrainsize) != 0
          ? ((flags & gomp::kStrict) != 0 ? TaskloopClause::kGrainsizeStrict : TaskloopClause::kGrainsize)
          : TaskloopClause::kNumTasks,
      me.team->size);
  unsigned task_flags = 0;
  if ((flags & gomp::kUntied) != 0) task_flags |= Task::kUntied;
  if ((flags & gomp::kFinal) != 0) task_flags |= Task::kFinal;
  const bool is_undeferred = (flags & gomp::kIf) == 0 || me.current->is_final();
  for (std::uint64_t t = 0; t < partition.tasks; ++t) {
    const auto [first, count] = partition.chunk(t);
    Task& task = new_compiled_task(me, from, task_flags);
    // Undeferred or not, each task gets its own block: the bounds differ.
    copy_arguments(me, from, task);
    auto* const chunk = static_cast<std::uint64_t*>(task.data);
    chunk[0] = bounds.start + first * bounds.step;
    chunk[1] = bounds.start + (first + count) * bounds.step;
    if (is_undeferred) {
      begin_undeferred(me, task, {});
      from.fn(task.data);
      end_undeferred(me, task);
    } else {
      submit(me, task, {});
    }
  }
  if ((flags & gomp::kNoGroup) == 0) taskgroup_end(me);
}

}  // namespace

HEDDLE_EXPORT void GOMP_taskloop(Function fn, void* data, void (*copy)(void*, void*), long size,
                                 long alignment, unsigned flags, unsigned long num_tasks, int priority,
                                 long start, long end, long step) {
  // An empty loop still registers its reductions: the program combines what they hold.
  taskloop(
      {fn, data, copy, size, alignment, (flags & gomp::kPriority) != 0 ? priority : 0}, flags, num_tasks,
      {static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(step), trip_signed(start, end, step)});
}

HEDDLE_EXPORT void GOMP_taskloop_ull(Function fn, void* data, void (*copy)(void*, void*), long size,
                                     long alignment, unsigned flags, unsigned long num_tasks, int priority,
                                     unsigned long long start, unsigned long long end,
                                     unsigned long long step) {
  const bool up = (flags & gomp::kUp) != 0;
  taskloop({fn, data, copy, size, alignment, (flags & gomp::kPriority) != 0 ? priority : 0}, flags, num_tasks,
           {start, step, trip_unsigned(up, start, end, step)});
}
