// A replay: an execution of a graph, what its segments wait for, and the tasks that execute them.
//
// A segment gets its Task when it waits for nothing any more: what waits takes four bytes, and a Task's
// memory is that of one that ended before. Invariant: between two replays every segment waits for all that it
// waits for. It does so for the next replay as soon as it has its Task: everything has been counted down by
// then.
//
// Several instances of a graph that overlaps stand in a ring, and are executed one after the other. What a
// segment waits for in the execution before it may count it down as soon as its own instance has been
// executed the time before: two tasks with a carried edge between them access the same data, so the one that
// is waited for comes after everything that the other was in earlier executions.
//
// An execution *lags* behind older ones that go on. What it could begin with already is for a thread that has
// nothing else to do: a thread that followed another from task to task, an execution behind, would find all
// that it works on in that one's cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "base/cache_line.hpp"
#include "base/count_down.hpp"
#include "base/relaxed_atomic.hpp"
#include "graph/graph.hpp"
#include "graph/record.hpp"
#include "mem/cache.hpp"
#include "replay/graph_ring.hpp"
#include "sched/lengths.hpp"
#include "sched/serial_replay_choice.hpp"
#include "task/task.hpp"
#include "tasking/taskloop.hpp"
#include "team/team.hpp"
#include "trace/tool.hpp"

namespace heddle {

class Replay;

/// What a task that executes a segment has to know (Task::as()).
struct SegmentTask {
  Replay* instance;
  Graph::SegmentIndex segment;
  bool takes_first = false;  // it executes the first segment that is ready then: Replay::order()
};

/// Of a bundle: its nodes are chunks.
struct BundleLoop : Taskloop {
  Replay* replay = nullptr;
  Graph::SegmentIndex segment = 0;
  const GraphNode* nodes = nullptr;
};

class Replay {
 public:
  /// is_first: there is no execution of the graph before this one's first.
  explicit Replay(const Graph& graph, bool is_first = true);
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  const Graph& graph() const { return graph_; }
  /// The code of a task: of its first node.
  static const void* code_of(const Task& task) {
    const Graph& graph = of(task).graph();
    return graph.nodes_of(graph.segments()[segment_of(task)]).front().kind->code;
  }
  std::size_t tasks() const { return graph_.segments().size(); }

  /// Requires: task.is_recorded().
  static Graph::SegmentIndex segment_of(const Task& task) { return task.as<SegmentTask>().segment; }
  static Replay& of(const Task& task) { return *task.as<SegmentTask>().instance; }

  /// A replay begins, of children of `parent`, in a new taskgroup within the parent's.
  /// Requires: no replay of this instance is going on.
  TaskGroup& begin(Task& parent, TaskGroup* counts_too = nullptr);
  /// Of the last replay; nullptr where there was none, or all of its tasks are complete.
  TaskGroup* group() { return group_ && !group_->outstanding.is_zero() ? &*group_ : nullptr; }

  /// The segment waits for one less. Returns true where it was the last: the caller makes its task.
  /// Ordering: what came before is visible to the thread that gets true. Threads: any.
  bool release(Graph::SegmentIndex segment) { return pending_[segment].release_one(); }
  /// The task that executes a segment. Requires: release() has returned true for it in this replay.
  /// Threads: the owner of `cache`.
  Task& make_task(Graph::SegmentIndex segment, MemoryCache& cache) {
    pending_[segment].reset(graph_.segments()[segment].awaits);
    return ahead_.empty() ? new_task(segment, cache) : *ahead_[segment];
  }
  /// Whether the task differs from others like it in nothing but its segment.
  bool may_be_ordered(const Task& task) const {
    const GraphSegment& from = graph_.segments()[segment_of(task)];
    return from.flags == 0 && from.priority == 0;
  }
  /// The task is about to be queued: it will execute, of all segments that are queued so, that which was
  /// created first, this or another. Requires: may_be_ordered(); one thread executes the team's tasks.
  void order(Task& task) {
    task.as<SegmentTask>().takes_first = true;
    in_order_.push(segment_of(task));
  }
  /// Makes all tasks of this replay, for a thread that wants to know them before: make_task() returns them.
  void make_tasks_ahead(MemoryCache& cache);
  std::span<Task* const> tasks_ahead() const { return ahead_; }
  /// Whether a tool was active when they were made: it observes each.
  bool is_observed() const { return is_observed_; }

  /// The instance that is executed next: this one where the ring has no other.
  Replay& next() { return *next_; }
  /// Requires: it has not been executed yet; the ring's instances are begun one after the other.
  void join(GraphRing<>& ring, Replay& next) {
    ring_ = &ring;
    next_ = &next;
  }

  /// How many older executions in its ring go on, as their last segments say; below 1: none. Where those are
  /// independent it may say too little: it decides what is preferred, and nothing else rests on it.
  std::int32_t iteration_distance() const {
    if (ring_ == nullptr) return 0;
    return static_cast<std::int32_t>(number_.load() - ring_->ended());
  }
  /// The body of a segment has ended. Returns true where others may have become the oldest: look for their
  /// tasks then. Ordering: the thread that looks finds the tasks that another queued as deferred, or that one
  /// sees that they are no longer.
  bool end(Graph::SegmentIndex segment) {
    // In a wavefront the last one waits for all others; to count these would cost each of them.
    if (ring_ == nullptr || segment + 1 != tasks()) return false;
    ring_->end_one();
    return true;
  }

  alignas(kCacheLine) SampledLength lengths;  // of its nodes: of segments, or batches of a bundle

 private:
  /// Executes the segment of one of its tasks, which is the current one.
  void execute(Task& task);
  static void execute_segment(Task& task) { of(task).execute(task); }

  void prepare_bundle(const GraphSegment& segment, Graph::SegmentIndex index);
  Task& new_task(Graph::SegmentIndex segment, MemoryCache& cache) {
    const GraphSegment& from = graph_.segments()[segment];
    // Behind it a tool keeps what it wants to know of it (trace/tool.hpp).
    const std::uint32_t bytes = sizeof(Task) + (has_tool() ? sizeof(ToolTask) : 0);
    Task& task = *new (cache.allocate(bytes)) Task(inherited_, &cache, bytes, from.flags);
    task.body = execute_segment;
    task.as<SegmentTask>() = {this, segment};
    task.priority = from.priority;
    task.kind = Task::kRecorded;
    if (task.is_detachable()) [[unlikely]]
      graph_.event_of(segment).begin(task);
    return task;
  }

  const Graph& graph_;
  const std::unique_ptr<CountDown<>[]> pending_;  // of segments: those that it waits for
  Task::Inherited inherited_;
  std::vector<Task*> ahead_;
  // Segments whose tasks take the first: as many as there are such tasks.
  std::priority_queue<Graph::SegmentIndex, std::vector<Graph::SegmentIndex>, std::greater<>> in_order_;
  bool is_observed_ = false;
  const std::unique_ptr<BundleLoop[]> bundles_;
  Replay* next_ = this;
  GraphRing<>* ring_ = nullptr;
  RelaxedAtomic<std::uint32_t> number_{0};  // of the execution, in its ring
  // Written by everybody, where the rest is read by everybody.
  alignas(kCacheLine) std::optional<TaskGroup> group_;
};

/// Begins to execute the graph's tasks as children of the current task. counts_too: see TaskGroup.
/// Requires: no other execution of it is going on; the one before it in its ring was started.
/// Cost: no allocation of memory but by a team of one, no lock, and nothing that grows with the number of
/// dependences of a task.
void start(Member& me, Replay& replay, TaskGroup* counts_too);
/// Waits for them and their descendants.
void wait_for(Member& me, Replay& replay);

/// Of a task whose body has not released what waits for it; see Recorder.
Task* release_successors(Task& task, MemoryCache& cache);

/// Executes all tasks of a record here, in the order of their creation, and waits for their descendants.
/// Requires: it has no events.
void replay_serially(Member& me, const Record& record);

/// Makes the tasks of an execution that has begun. For observers the current task has created them: each edge
/// of the graph is a dependence of its two tasks, on an address of its own, and a join a task without code.
/// Requires: Member::is_observed; each segment has one node.
void observe_tasks(Member& me, Replay& replay);

// The replay pipeline: executions of one record that have begun and are not all complete.
//
// Where its graph overlaps so may they: as many as the ring has replays, each waiting for the one before it
// task by task. Any other graph is executed once at a time.

/// Where the order of tasks is chosen, or a tool observes each, each has its own place in it.
inline Bundles bundles_for(const Member& me) {
  return !me.is_observed ? Bundles::kSome : Bundles::kNone;
}

class ReplayPipeline {
 public:
  /// plain_ns: see SerialReplayChoice.
  explicit ReplayPipeline(Record& record, std::int64_t plain_ns = 0) : record_(record), choice_(plain_ns) {}

  /// What the first execution by a team would make. Requires: nothing was executed yet.
  void prepare(const Member& me) { make_ring(me); }
  /// Whether the next execution begins with making a graph.
  bool needs_graph(const Member& me) const;
  /// Begins another execution, by children of the current task. Waits where the ring is full. is_awaited: for
  /// this one the caller waits before anything else; where it is not, it is counted in the taskgroup around
  /// it. Requires: no execution by another task's children is in pipeline.
  void begin(Member& me, bool is_awaited);
  /// Waits for all of them.
  void wait(Member& me);
  /// One more, and nothing else before it has ended.
  void execute(Member& me);

 private:
  void make_ring(const Member& me);
  /// begin() by the team. Returns the replay that it begins.
  Replay& begin_shared(Member& me, bool is_awaited);

  Record& record_;
  std::vector<std::unique_ptr<Replay>> replays_;  // empty until a team executes the record
  GraphRing<> ring_;                              // of them, where there are several
  SerialReplayChoice choice_;
};

}  // namespace heddle
