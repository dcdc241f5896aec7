// taskloop: Clang's entry points. The program hands over one task as a pattern; its chunks are copies of it.
#include <algorithm>
#include <cstring>
#include <new>

#include "abi/kmpc/kmpc.hpp"
#include "abi/kmpc/task.hpp"
#include "abi/taskloop.hpp"
#include "icv/settings.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"

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

struct LoopConstruct : TaskloopConstruct {
  TaskView* pattern = nullptr;
  std::ptrdiff_t lower_at = 0, upper_at = 0;
  Duplicate duplicate = nullptr;
  ViewLayout layout;
  unsigned long recorded_flags = 0;  // of the pattern, where that is to be made again

  Bounds bounds() const { return {lower_at, upper_at, start, step}; }

  static void begin_group(Member& me) { taskgroup_begin(me); }
  static void end_group(Member& me) { end_taskgroup(me); }

  // duplicate() copies objects from the creator's variables, which may change, or go away, behind the
  // construct. Clang's code has a taskgroup of its own around the loop, so whether there is one is not known
  // here.
  bool has_ranges(const Member& me) const {
    return duplicate == nullptr && splits_ranges(me) && !is_transparent(task_of(pattern));
  }
  struct Ranges {};  // they stay until the last of them has ended
  void start_ranges(Member& me, const TaskloopPartition& partition, bool is_undeferred,
                    std::optional<Ranges>&) const {
    Loop& loop = *new (me.cache->allocate(sizeof(Loop))) Loop(me, pattern, bounds(), partition);
    start_taskloop(me, loop, is_undeferred ? TaskloopStart::kUndeferred : TaskloopStart::kDeferred);
  }

  Task& make_chunk(Member& me, std::pair<std::uint64_t, std::uint64_t> chunk, bool is_last) const {
    TaskView* const view = copy_of(me, pattern);
    bounds().put(view, chunk);
    if (duplicate != nullptr) duplicate(view, pattern, is_last);
    return task_of(view);
  }
  static void execute_chunk(Member& me, Task& task) {
    run_undeferred(me, static_cast<TaskView*>(task.payload()), {});
  }
  static void submit_chunk(Member& me, Task& task, CallSite where, const ompt_dispatch_chunk_t& iterations) {
    create(me, Construct{static_cast<TaskView*>(task.payload()), 0, nullptr, where.address, iterations});
  }
  void end_chunks(Member& me) const { end_pattern(me, pattern); }

  const char* reason_against_record(const Member& me) const {
    const Task& task = task_of(pattern);
    // In C it says no more than which chunk is the last.
    const bool copies_objects = duplicate != nullptr && !me.context.taskgraph->copies_are_bytes;
    if (ending_of(task) != nullptr || copies_objects)
      return "a taskloop captures an object, which is not bytes alone, or has lastprivate in C++ (not yet)";
    if ((task.flags & Task::kMayMove) != 0) return "a taskloop is untied (not yet)";
    return nullptr;
  }
  std::size_t captured_bytes() const { return layout.bytes(); }
  void* code() const { return reinterpret_cast<void*>(pattern->routine); }
  void capture(void* to) {
    recorded_flags = task_of(pattern).flags & unsigned{Task::kFinal};
    auto* const view = static_cast<TaskView*>(to);
    copy_view(view, pattern, layout);
    view->shareds = nullptr;  // no address of the copy is kept
    pattern = nullptr;
  }
  void execute_again(void* captured) const {
    auto* const view = static_cast<TaskView*>(captured);
    LoopConstruct again = *this;
    again.pattern = new_compiled_task(this_member(), kTied, layout, view->routine);
    task_of(again.pattern).flags.set(static_cast<unsigned>(recorded_flags));
    copy_view(again.pattern, view, layout);
    execute_taskloop(again, {});
  }
};

void taskloop(TaskView* pattern, std::int32_t if_clause, const std::uint64_t* lower,
              const std::uint64_t* upper, std::int64_t step, std::int32_t nogroup, TaskloopClause clause,
              std::uint64_t amount, Duplicate duplicate, CallSite where) {
  const auto offset = [pattern](const std::uint64_t* bound) {
    return reinterpret_cast<const char*>(bound) - reinterpret_cast<const char*>(pattern);
  };
  LoopConstruct loop;
  loop.start = *lower;
  loop.step = static_cast<std::uint64_t>(step);
  loop.trip = trip_count(static_cast<std::int64_t>(*lower), static_cast<std::int64_t>(*upper), step);
  loop.amount = amount;
  loop.clause = clause;
  loop.if_clause = if_clause != 0;
  loop.has_group = nogroup == 0;
  loop.pattern = pattern;
  loop.lower_at = offset(lower);
  loop.upper_at = offset(upper);
  loop.duplicate = duplicate;
  loop.layout = layout_of(task_of(pattern));
  execute_taskloop(loop, where);
}

}  // namespace

HEDDLE_EXPORT void __kmpc_taskloop(Ident*, Gtid, TaskView* pattern, std::int32_t if_clause,
                                   std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                                   std::int32_t nogroup, std::int32_t schedule, std::uint64_t amount,
                                   Duplicate duplicate) {
  taskloop(pattern, if_clause, lower, upper, step, nogroup, clause_of(schedule, 0), amount, duplicate,
           HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void __kmpc_taskloop_5(Ident*, Gtid, TaskView* pattern, std::int32_t if_clause,
                                     std::uint64_t* lower, std::uint64_t* upper, std::int64_t step,
                                     std::int32_t nogroup, std::int32_t schedule, std::uint64_t amount,
                                     std::int32_t modifier, Duplicate duplicate) {
  taskloop(pattern, if_clause, lower, upper, step, nogroup, clause_of(schedule, modifier), amount, duplicate,
           HEDDLE_CALL_SITE());
}
