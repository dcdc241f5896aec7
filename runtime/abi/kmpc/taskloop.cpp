// taskloop: Clang's entry points. The program hands over one task as a pattern; its chunks are copies of it.
#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "abi/kmpc/kmpc.hpp"
#include "abi/kmpc/task.hpp"
#include "abi/kmpc/trip_count.hpp"
#include "abi/taskloop_partition.hpp"
#include "icv/settings.hpp"
#include "replay/taskgraph.hpp"
#include "tasking/taskloop.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"
#include "trace/observer.hpp"

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
  const ViewLayout layout = layout_of(from);
  TaskView* view = new_compiled_task(me, kTied, layout, pattern->routine);
  Task& task = task_of(view);
  // The taskgroup may be the construct's own, opened after the pattern was made.
  task.flags = (from.flags & ~unsigned{Task::kInGroup}) | (task.flags & unsigned{Task::kInGroup});
  task.as<ClangTask>().ending = ending_of(from);
  copy_view(view, pattern, layout);
  return view;
}

// Where the bounds stand in the pattern and its copies, and what they are.
struct Bounds {
  std::ptrdiff_t lower_at, upper_at;
  std::uint64_t start, step;

  void put(TaskView* view, std::pair<std::uint64_t, std::uint64_t> chunk) const {
    const auto [first, count] = chunk;
    put_word(view, lower_at, start + first * step);
    put_word(view, upper_at, start + (first + count - 1) * step);
  }

 private:
  static void put_word(TaskView* view, std::ptrdiff_t at, std::uint64_t value) {
    std::memcpy(reinterpret_cast<char*>(view) + at, &value, sizeof value);
  }
};

// The pattern never runs; it is ended as a task with an empty body, destructors included, by the thread that
// has no more use for it: as a child of the task that the thread executes.
void end_pattern(Member& me, TaskView* pattern) {
  Task& task = task_of(pattern);
  task.parent = me.context.task;
  task.group = me.context.task->group;
  task.environment = me.context.task->environment;
  if (me.is_observed) [[unlikely]]
    observe(&Observer::task_is_internal, task);
  begin_undeferred(me, task, {});
  finish_undeferred(me, task);
}

struct Loop : Taskloop {
  TaskView* pattern;
  Bounds bounds;
  TaskloopPartition partition;
  MemoryCache* home;

  Loop(Member& me, TaskView* its_pattern, const Bounds& its_bounds, const TaskloopPartition& its_partition)
      : pattern(its_pattern), bounds(its_bounds), partition(its_partition), home(me.cache) {
    const Task& from = task_of(pattern);
    chunks = partition.tasks;
    payload_bytes = layout_of(from).bytes();
    flags = from.flags & (Task::kUntied | Task::kFinal);  // its parts follow one another on one thread
    priority = std::clamp(pattern->priority.priority, 0, settings().max_task_priority);
    prepare = [](const Taskloop&, Task&) {};
    run = [](Member& member, const Taskloop& loop, Task& task, std::uint64_t first, std::uint64_t last) {
      return static_cast<const Loop&>(loop).run_compiled_chunks(member, task, first, last);
    };
    release = [](Member& last, Taskloop& done) {
      auto& ended = static_cast<Loop&>(done);
      end_pattern(last, ended.pattern);
      last.cache->release(&done, sizeof(Loop), *ended.home);
    };
  }

  std::uint64_t run_compiled_chunks(Member& me, Task& task, std::uint64_t first, std::uint64_t last) const {
    auto* const view = static_cast<TaskView*>(task.payload());
    const Gtid gtid = gtid_of(me);
    const bool has_destructors = destroys(task_of(pattern));
    const ViewLayout layout = layout_of(task_of(pattern));
    return run_chunks(me, task, first, last, [&](std::uint64_t t) {
      // Each has its own list of shared variables' addresses: flang has the bounds among them.
      copy_view(view, pattern, layout);
      bounds.put(view, partition.chunk(t));
      do {
        task.flags.clear(Task::kHasMoreParts);
        view->routine(gtid, view);
      } while ((task.flags & Task::kHasMoreParts) != 0);
      if (has_destructors) view->destructors.destructors(gtid, view);
    });
  }
};

void submit_every_chunk(Member& me, TaskView* pattern, bool is_undeferred, const Bounds& bounds,
                        const TaskloopPartition& partition, Duplicate duplicate, CallSite where) {
  for (std::uint64_t t = 0; t < partition.tasks; ++t) {
    TaskView* view = copy_of(me, pattern);
    const auto range = partition.chunk(t);
    bounds.put(view, range);
    if (duplicate != nullptr) duplicate(view, pattern, t + 1 == partition.tasks);
    const auto [first, iterations] = range;
    const ompt_dispatch_chunk_t chunk{bounds.start + first * bounds.step, iterations};
    if (is_undeferred) {
      if (me.is_observed) [[unlikely]]
        observe(&Observer::task_created, task_of(view), {where, {}, true, false, false, nullptr, chunk});
      run_undeferred(me, view, {});
    } else {
      create(me, Construct{view, 0, nullptr, where.address, chunk});
    }
  }
  end_pattern(me, pattern);
}

// What the entry points get besides the pattern, where its bounds stand, and its clauses.
struct LoopClauses {
  std::ptrdiff_t lower_at, upper_at;
  std::int64_t step;
  std::uint64_t amount;
  Duplicate duplicate;
  TaskloopClause clause;
  bool if_clause;
  bool nogroup;
};

void taskloop(TaskView* pattern, const LoopClauses& from, CallSite where);

// A loop of a recorded region is a node: it is met again with a copy of its pattern, which stands behind
// this.
struct alignas(kCacheLine) RecordedLoop {
  LoopClauses clauses;
  ViewLayout layout;
  unsigned flags;

  TaskView* view() { return reinterpret_cast<TaskView*>(this + 1); }

  void run() {
    TaskView* const pattern = new_compiled_task(this_member(), kTied, layout, view()->routine);
    task_of(pattern).flags.set(flags);
    copy_view(pattern, view(), layout);
    taskloop(pattern, clauses, {});
  }
};

void record_loop(Member& me, TaskView* pattern, const LoopClauses& clauses) {
  const Task& task = task_of(pattern);
  const char* against = nullptr;
  // In C it says no more than which chunk is the last.
  const bool copies_objects = clauses.duplicate != nullptr && !me.context.taskgraph->copies_are_bytes;
  if (ending_of(task) != nullptr || copies_objects)
    against = "a taskloop captures an object, which is not bytes alone, or has lastprivate in C++ (not yet)";
  if ((task.flags & Task::kMayMove) != 0) against = "a taskloop is untied (not yet)";
  if (against != nullptr) return refuse_to_record(me, against);
  const ViewLayout layout = layout_of(task);
  std::vector<RecordedLoop> block(1 + (layout.bytes() + sizeof(RecordedLoop) - 1) / sizeof(RecordedLoop));
  // All bytes are compared under HEDDLE_CHECK: what lies between members is 0, and no address of the block is
  // kept.
  std::memset(block.data(), 0, block.size() * sizeof(RecordedLoop));
  RecordedLoop& loop = block[0];
  loop.clauses.lower_at = clauses.lower_at;
  loop.clauses.upper_at = clauses.upper_at;
  loop.clauses.step = clauses.step;
  loop.clauses.amount = clauses.amount;
  loop.clauses.duplicate = clauses.duplicate;
  loop.clauses.clause = clauses.clause;
  loop.clauses.if_clause = clauses.if_clause;
  loop.clauses.nogroup = clauses.nogroup;
  loop.layout = layout;
  loop.flags = task.flags & unsigned{Task::kFinal};
  copy_view(loop.view(), pattern, layout);
  loop.view()->shareds = nullptr;
  TaskBody body;
  body.run = [](void*, void* data) { static_cast<RecordedLoop*>(data)->run(); };
  body.code = reinterpret_cast<void*>(pattern->routine);
  body.data = block.data();
  body.bytes = sizeof(RecordedLoop) + layout.bytes();
  body.header_bytes = sizeof(RecordedLoop);
  body.alignment = alignof(RecordedLoop);
  body.waits_for_descendants = true;
  record_task(me, body, {}, clauses.nogroup && clauses.if_clause ? Gate::kNo : Gate::kYes);
}

void taskloop(TaskView* pattern, const LoopClauses& from, CallSite where) {
  Member& me = this_member();
  if (is_recording(me)) [[unlikely]] {
    if (!leaves_out_task(me)) record_loop(me, pattern, from);
    const NotRecording here(me);
    return taskloop(pattern, from, where);
  }
  const auto [lower_at, upper_at, step, amount, duplicate, clause, if_clause, nogroup] = from;
  std::uint64_t lower, upper;
  std::memcpy(&lower, reinterpret_cast<char*>(pattern) + lower_at, sizeof lower);
  std::memcpy(&upper, reinterpret_cast<char*>(pattern) + upper_at, sizeof upper);
  const std::uint64_t trip =
      trip_count(static_cast<std::int64_t>(lower), static_cast<std::int64_t>(upper), step);
  observe(&Observer::work_begins, ompt_work_taskloop, trip, where);
  if (!nogroup) {
    observe(&Observer::taskgroup_begins, where);
    taskgroup_begin(me);
  }
  const TaskloopPartition partition = partition_taskloop(trip, amount, clause, me.team->size);
  const Bounds bounds{lower_at, upper_at, lower, static_cast<std::uint64_t>(step)};
  // duplicate() copies objects from the creator's variables, which may change, or go away, behind the
  // construct. Clang's code has a taskgroup of its own around the loop, so whether there is one is not known
  // here.
  if (duplicate == nullptr && splits_ranges(me) && !is_transparent(task_of(pattern))) {
    start_taskloop(
        me, *new (me.cache->allocate(sizeof(Loop))) Loop(me, pattern, bounds, partition),
        if_clause && !me.context.task->is_final() ? TaskloopStart::kDeferred : TaskloopStart::kUndeferred);
  } else {
    submit_every_chunk(me, pattern, !if_clause, bounds, partition, duplicate, where);
  }
  if (!nogroup) {
    const SyncRegion sync(ompt_sync_region_taskgroup, where);
    end_taskgroup(me);
  }
  observe(&Observer::work_ends, ompt_work_taskloop, trip, where);
}

LoopClauses clauses_of(const TaskView* pattern, std::int32_t if_clause, const std::uint64_t* lower,
                       const std::uint64_t* upper, std::int64_t step, std::int32_t nogroup,
                       TaskloopClause clause, std::uint64_t amount, Duplicate duplicate) {
  const auto offset = [pattern](const std::uint64_t* bound) {
    return reinterpret_cast<const char*>(bound) - reinterpret_cast<const char*>(pattern);
  };
  return {offset(lower), offset(upper), step, amount, duplicate, clause, if_clause != 0, nogroup != 0};
}

}  // namespace

HEDDLE_EXPORT void __kmpc_taskloop(Ident*, Gtid, TaskView* pattern, std::int32_t if_clause,
                                   std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                                   std::int32_t nogroup, std::int32_t schedule, std::uint64_t amount,
                                   Duplicate duplicate) {
  taskloop(
      pattern,
      clauses_of(pattern, if_clause, lower, upper, step, nogroup, clause_of(schedule, 0), amount, duplicate),
      HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void __kmpc_taskloop_5(Ident*, Gtid, TaskView* pattern, std::int32_t if_clause,
                                     std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                                     std::int32_t nogroup, std::int32_t schedule, std::uint64_t amount,
                                     std::int32_t modifier, Duplicate duplicate) {
  taskloop(pattern,
           clauses_of(pattern, if_clause, lower, upper, step, nogroup, clause_of(schedule, modifier), amount,
                      duplicate),
           HEDDLE_CALL_SITE());
}
