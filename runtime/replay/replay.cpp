#include "replay/replay.hpp"

#include <ranges>
#include <utility>

#include "replay/told_replay.hpp"
#include "sys/machine.hpp"
#include "sys/ticks.hpp"
#include "tasking/children.hpp"
#include "tasking/detach.hpp"
#include "tasking/ready.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"

namespace heddle {
namespace {

// A node's body has returned.
void end_node(Member& me, Task& task) {
  if ((task.flags & Task::kHasExtensions) != 0) [[unlikely]]
    wait_for_events_of_node(me, task);
}

void execute_node(Member& me, const GraphNode& node) {
  if (node.is_join()) return;
  if (!node.kind->waits_for_descendants) return node.execute();
  taskgroup_begin(me);
  node.execute();
  taskgroup_end(me);
}

void execute_node(Member& me, const Graph&, const GraphNode& node) {
  execute_node(me, node);
}

void execute_measured_node(Member& me, const Graph& graph, const GraphNode& node) {
  const std::int64_t began = monotonic_ns();
  execute_node(me, node);
  NodeTime* const time = graph.time_of(node);
  if (time == nullptr) return;
  time->ns.fetch_add(static_cast<std::uint64_t>(monotonic_ns() - began), std::memory_order_relaxed);
  time->times.fetch_add(1, std::memory_order_relaxed);
}

// Takes the length of what is executed from a node on, if that is a sample.
class LengthSample {
 public:
  LengthSample(SampledLength& lengths, std::uint64_t first_node)
      : lengths_(lengths.is_sample(static_cast<std::uint32_t>(first_node)) ? &lengths : nullptr),
        began_(lengths_ != nullptr ? ticks() : 0) {}
  void end(std::uint64_t nodes) {
    if (lengths_ != nullptr) [[unlikely]]
      lengths_->add(nanoseconds(ticks() - began_), nodes);
  }

 private:
  SampledLength* const lengths_;
  const std::uint64_t began_;
};

using ExecuteNode = void(Member& me, const Graph& graph, const GraphNode& node);

// The rest of a segment behind a node of which something goes on: each node has a Task of its own.
template <ExecuteNode execute_one>
void execute_apart(Member& me, const Graph& graph, std::span<const GraphNode> nodes) {
  for (const GraphNode& node : nodes) {
    Task& task = new_task(me, 0, 0);
    begin_undeferred(me, task, {});
    execute_one(me, graph, node);
    end_undeferred(me, task);
  }
}

template <ExecuteNode execute_one>
void execute_nodes(Member& me, Task& task, const Graph& graph, std::span<const GraphNode> nodes) {
  const DataEnvironment* const environment = task.environment;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    execute_one(me, graph, nodes[i]);
    end_node(me, task);
    if (end_chunk(me, task, environment)) [[likely]]
      continue;
    return execute_apart<execute_one>(me, graph, nodes.subspan(i + 1));
  }
}

// Executes nodes one after the other, as a Task that goes on from node to node while nothing of it does.
class Turn {
 public:
  explicit Turn(Member& me) : me_(me), group_(me.context.task->group) { me.context.task->group = &group_; }
  ~Turn() {
    end_task();
    wait_for_group(me_, group_);
    me_.context.task->group = group_.outer;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  /// Has the nodes that come next executed by a Task with these flags.
  void prepare(unsigned flags) {
    if (task_ != nullptr && flags == flags_) return;
    end_task();
    begin_task(flags);
  }
  /// run(): the next node's body. Requires: prepare() was called.
  template <class Run>
  void execute(Run&& run) {
    run();
    end_node(me_, *task_);
    if (end_chunk(me_, *task_, environment_)) [[likely]]
      return;
    end_task();
    begin_task(flags_);
  }

 private:
  void begin_task(unsigned flags) {
    task_ = &new_task(me_, 0, flags);
    flags_ = flags;
    begin_undeferred(me_, *task_, {});
    environment_ = task_->environment;
  }
  void end_task() {
    if (task_ != nullptr) end_undeferred(me_, *std::exchange(task_, nullptr));
  }

  Member& me_;
  TaskGroup group_;
  Task* task_ = nullptr;
  unsigned flags_ = 0;
  const DataEnvironment* environment_ = nullptr;
};

template <ExecuteNode execute_one>
void execute_in_turn(Turn& turn, Member& me, const Graph& graph) {
  for (const GraphSegment& segment : graph.segments()) {
    turn.prepare(segment.flags);
    for (const GraphNode& node : graph.nodes_of(segment)) turn.execute([&] { execute_one(me, graph, node); });
  }
}

void execute_in_turn(Turn& turn, Member& me, const TaskLog& task_log) {
  task_log.for_each_run([&](const TaskLog::Run& run) {
    if (!run.is_task()) return;
    turn.prepare(run.flags());
    if (run.is_simple())
      run.for_each([&](const TaskLog::Entry& entry) { turn.execute([&] { entry.execute(); }); });
    else
      run.for_each(
          [&](const TaskLog::Entry& entry) { turn.execute([&] { execute_node(me, entry.node()); }); });
  });
}

// An execution has ended: what others could begin with while they lagged behind it is ordinary now.
[[gnu::noinline]] void recall_lagging(Member& me) {
  const auto lags_no_more = [](const Task& task) { return GraphInstance::of(task).lag() <= 0; };
  for (Task* next = me.team->ready.recall(lags_no_more); next != nullptr;) {  // last in, first out
    Task& task = *std::exchange(next, next->next);
    task.priority = 0;
    make_ready(me, task);
  }
}

// Behind everything else where its execution lags.
void hand_out(Member& me, Task& task) {
  const GraphInstance& instance = GraphInstance::of(task);
  const std::int32_t lag = instance.lag();
  if (lag <= 0 || task.priority != 0 || is_oldest_first()) [[likely]]
    return make_ready(me, task);
  task.priority = -lag;
  make_ready(me, task);
  if (instance.lag() <= 0) recall_lagging(me);
}

// Hands out what waited for this segment alone. Returns a task for this member to go on with, or nullptr: of
// the same execution where there is one.
Task* release_successors(Member& me, GraphInstance& instance, Graph::SegmentIndex segment) {
  Task* successor = nullptr;
  const bool wants_one = takes_successors(me);
  const auto release = [&](GraphInstance& of, Graph::SegmentIndex released) {
    if (!of.release(released)) return;
    Task& next = of.make_task(released, *me.cache);
    if (!wants_one || !may_succeed(me, next)) return hand_out(me, next);
    if (successor != nullptr) hand_out(me, *successor);
    successor = &next;
  };
  const Graph& graph = instance.graph();
  for (const Graph::SegmentIndex s : graph.carried_from(segment)) release(instance.next(), s);
  for (const Graph::SegmentIndex s : graph.successors_of(segment)) release(instance, s);
  if (instance.end(segment)) [[unlikely]]
    recall_lagging(me);
  return successor;
}

template <ExecuteNode execute_one>
std::uint64_t run_bundle_part(Member& me, const Taskloop& loop, Task& task, std::uint64_t first,
                              std::uint64_t last) {
  const auto& bundle = static_cast<const BundleLoop&>(loop);
  const Graph& graph = bundle.instance->graph();
  LengthSample sample(bundle.instance->lengths, graph.segments()[bundle.segment].first_node + first);
  const std::uint64_t end = run_chunks(me, task, first, last, [&](std::uint64_t node) {
    execute_one(me, graph, bundle.nodes[node]);
    end_node(me, task);
  });
  sample.end(end - first);
  return end;
}

// Whoever ends the last part of a bundle.
void end_bundle(Member& me, Taskloop& loop) {
  const auto& bundle = static_cast<const BundleLoop&>(loop);
  if (Task* const successor = release_successors(me, *bundle.instance, bundle.segment))
    make_ready(me, *successor);
}

}  // namespace

ReplayInstance::ReplayInstance(const Graph& graph, bool is_first)
    : GraphInstance(graph, is_first),
      lengths(static_cast<std::uint32_t>(graph.nodes().size())),
      bundles_(graph.bundles() > 0 ? std::make_unique<BundleLoop[]>(graph.bundles()) : nullptr) {
  for (Graph::SegmentIndex s = 0; s < tasks(); ++s) {
    const GraphSegment& segment = graph.segments()[s];
    if (!segment.is_bundle()) continue;
    BundleLoop& bundle = bundles_[segment.bundle];
    bundle.instance = this;
    bundle.segment = s;
    bundle.nodes = graph.nodes_of(segment).data();
    bundle.chunks = segment.nodes;
    bundle.flags = segment.flags;
    bundle.priority = segment.priority;
    bundle.prepare = [](const Taskloop&, Task&) {};
    bundle.run =
        graph.is_measured() ? &run_bundle_part<execute_measured_node> : &run_bundle_part<execute_node>;
    bundle.release = end_bundle;
  }
}

void ReplayInstance::execute(Task& task) {
  Member& me = this_member();
  const GraphSegment& segment = graph().segments()[segment_of(task)];
  if (segment.is_bundle()) {
    BundleLoop& bundle = bundles_[segment.bundle];
    bundle.users.store(1, std::memory_order_relaxed);
    share_taskloop(me, bundle);
    task.released = nullptr;  // whoever ends the bundle hands it out
    return;
  }
  LengthSample sample(lengths, segment.first_node);
  const auto execute_all =
      graph().is_measured() ? execute_nodes<execute_measured_node> : execute_nodes<execute_node>;
  execute_all(me, task, graph(), graph().nodes_of(segment));
  sample.end(segment.nodes);
  if (task.is_detachable()) return;  // what waits for it waits for its event: complete.cpp
  // A tool has to be told that it is complete before those that wait for it begin.
  task.released = is_told() ? &task : release_successors(me, *this, segment_of(task));
}

void execute_in_turn(Member& me, const Record& record) {
  Turn turn(me);
  const Graph* const graph = record.graph();
  if (graph != nullptr && graph->is_measured())
    execute_in_turn<execute_measured_node>(turn, me, *graph);
  else if (record.task_log() != nullptr)
    execute_in_turn(turn, me, *record.task_log());
  else
    execute_in_turn<execute_node>(turn, me, *graph);
}

void start(Member& me, GraphInstance& instance, TaskGroup* counts_too) {
  Task& task = *me.context.task;
  if (instance.tasks() == 0) return;
  TaskGroup& group = instance.begin(task, counts_too);
  const auto count = static_cast<std::uint32_t>(instance.tasks());
  task.children_created(count);
  count_created(me, &group, count);
  if (me.is_observed) [[unlikely]]
    tell_tasks(me, instance);
  // Last in, first out: this member begins with the first one, others take from the end.
  for (const Graph::SegmentIndex s : std::views::reverse(instance.graph().roots())) {
    if (instance.release(s)) hand_out(me, instance.make_task(s, *me.cache));
  }
}

void wait_for(Member& me, GraphInstance& instance) {
  if (TaskGroup* const group = instance.group()) wait_for_group(me, *group);
}

}  // namespace heddle
