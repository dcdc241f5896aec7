// taskloop: Clang's entry points. The program hands over one task as a pattern; its chunks are copies of it.
#include <cstring>

#include "abi/kmpc/kmpc.hpp"
#include "abi/kmpc/task_view.hpp"
#include "abi/kmpc/trip_count.hpp"
#include "abi/taskloop_partition.hpp"
#include "team/tasking.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

using Duplicate = void (*)(TaskView* copy, TaskView* pattern, std::int32_t is_last);

TaskloopClause clause_of(std::int32_t schedule, std::int32_t modifier) {
  if (schedule == 0) return TaskloopClause::kNone;
  if (schedule == 2) return TaskloopClause::kNumTasks;
  return modifier == 1 ? TaskloopClause::kGrainsizeStrict : TaskloopClause::kGrainsize;
}

TaskView* copy_of(Member& me, TaskView* pattern) {
  Task& from = task_of(pattern);
  const auto view_bytes = reinterpret_cast<std::size_t>(from.data);
  const std::size_t shareds_at = (view_bytes + 15) / 16 * 16;
  const std::size_t shareds_bytes = from.bytes - sizeof(Task) - shareds_at;
  TaskView* view = new_compiled_task(me, kTied, view_bytes, shareds_bytes, pattern->routine);
  Task& task = task_of(view);
  task.flags = from.flags;
  task.code = from.code != nullptr ? &task : nullptr;
  void* const shareds = view->shareds;
  std::memcpy(static_cast<void*>(view), static_cast<void*>(pattern), view_bytes);
  view->shareds = shareds;
  if (shareds != nullptr) std::memcpy(shareds, pattern->shareds, shareds_bytes);
  return view;
}

void taskloop(TaskView* pattern, bool if_clause, std::uint64_t* lower, std::uint64_t* upper,
              std::int64_t step, bool nogroup, TaskloopClause clause, std::uint64_t amount,
              Duplicate duplicate) {
  Member& me = this_member();
  if (!nogroup) taskgroup_begin(me);
  const std::uint64_t trip =
      trip_count(static_cast<std::int64_t>(*lower), static_cast<std::int64_t>(*upper), step);
  const TaskloopPartition partition = partition_taskloop(trip, amount, clause, me.team->size);
  // Where the bounds stand in every copy of the pattern.
  const auto lower_at = reinterpret_cast<char*>(lower) - reinterpret_cast<char*>(pattern);
  const auto upper_at = reinterpret_cast<char*>(upper) - reinterpret_cast<char*>(pattern);
  const std::uint64_t start = *lower;
  for (std::uint64_t t = 0; t < partition.tasks; ++t) {
    const auto [first, count] = partition.chunk(t);
    TaskView* view = copy_of(me, pattern);
    const auto put = [view](std::ptrdiff_t at, std::uint64_t value) {
      std::memcpy(reinterpret_cast<char*>(view) + at, &value, sizeof value);
    };
    put(lower_at, start + first * static_cast<std::uint64_t>(step));
    put(upper_at, start + (first + count - 1) * static_cast<std::uint64_t>(step));
    if (duplicate != nullptr) duplicate(view, pattern, t + 1 == partition.tasks);
    if (if_clause) {
      submit_compiled(me, view, {});
    } else {
      run_undeferred(me, view, {});
    }
  }
  // The pattern itself never runs; it is ended as a task with an empty body, destructors included.
  Task& task = task_of(pattern);
  begin_undeferred(me, task, {});
  finish_undeferred(me, task);
  if (!nogroup) end_taskgroup(me);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_taskloop(Ident*, Gtid, TaskView* pattern, std::int32_t if_clause,
                                   std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                                   std::int32_t nogroup, std::int32_t schedule, std::uint64_t amount,
                                   Duplicate duplicate) {
  taskloop(pattern, if_clause != 0, lower, upper, step, nogroup != 0, clause_of(schedule, 0), amount,
           duplicate);
}

HEDDLE_EXPORT void __kmpc_taskloop_5(Ident*, Gtid, TaskView* pattern, std::int32_t if_clause,
                                     std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                                     std::int32_t nogroup, std::int32_t schedule, std::uint64_t amount,
                                     std::int32_t modifier, Duplicate duplicate) {
  taskloop(pattern, if_clause != 0, lower, upper, step, nogroup != 0, clause_of(schedule, modifier), amount,
           duplicate);
}
