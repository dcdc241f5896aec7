#include "team/replay.hpp"

#include <ranges>

#include "deps/dependence_table.hpp"
#include "sys/machine.hpp"
#include "team/tasking.hpp"
#include "team/taskloop.hpp"

namespace heddle {
namespace {

void execute_node(Member& me, const Graph&, const GraphNode& node) {
  if (node.run == nullptr) return;
  if (!node.waits_for_descendants) return node.execute();
  taskgroup_begin(me);
  node.execute();
  taskgroup_end(me);
}

void execute_measured_node(Member& me, const Graph& graph, const GraphNode& node) {
  const std::int64_t began = monotonic_ns();
  execute_node(me, graph, node);
  NodeTime* const time = graph.time_of(node);
  if (time == nullptr) return;
  time->ns.fetch_add(static_cast<std::uint64_t>(monotonic_ns() - began), std::memory_order_relaxed);
  time->times.fetch_add(1, std::memory_order_relaxed);
}

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
    task.environment = environment;
    if (task.is_plain() && task.child_table == nullptr) [[likely]]
      continue;
    if (renew_chunk_task(me, task)) continue;
    GraphInstance::of(task).set_stale();
    return execute_apart<execute_one>(me, graph, nodes.subspan(i + 1));
  }
}

// Hands out what waited for this segment alone. Returns a task for this member to go on with, or nullptr.
Task* release_successors(Member& me, GraphInstance& instance, Graph::SegmentIndex segment) {
  Task* successor = nullptr;
  const bool wants_one = takes_successors(me);
  const auto release = [&](Task& next) {
    if (!release_one(next)) return;
    if (!wants_one || !may_succeed(me, next)) return make_ready(me, next);
    if (successor != nullptr) make_ready(me, *successor);
    successor = &next;
  };
  const Graph& graph = instance.graph();
  for (const Graph::SegmentIndex s : graph.carried_from(segment)) release(instance.next().task(s));
  for (const Graph::SegmentIndex s : graph.successors_of(segment)) release(instance.task(s));
  return successor;
}

template <ExecuteNode execute_one>
void run_segment(Task& task) {
  Member& me = this_member();
  GraphInstance& instance = GraphInstance::of(task);
  const Graph& graph = instance.graph();
  const Graph::SegmentIndex index = instance.segment_of(task);
  const GraphSegment& segment = graph.segments()[index];
  instance.arm(task, segment);
  execute_nodes<execute_one>(me, task, graph, graph.nodes_of(segment));
  task.last_successor = release_successors(me, instance, index);
}

}  // namespace

Task::Body body_of_segments(const Graph& graph) {
  return graph.is_measured() ? &run_segment<execute_measured_node> : &run_segment<execute_node>;
}

void start(Member& me, GraphInstance& instance, TaskGroup* counts_too) {
  Task& task = *me.current;
  if (instance.tasks() == 0) return;
  TaskGroup& group = instance.prepare(task, counts_too);
  const auto count = static_cast<std::uint32_t>(instance.tasks());
  task.children_created(count);
  count_created(me, &group, count);
  if (me.team->order != nullptr) [[unlikely]] {
    for (Graph::SegmentIndex s = 0; s < count; ++s) {
      const Task& replayed = instance.task(s);
      me.team->order->created(replayed, replayed.code);
    }
  }
  // Last in, first out: this member begins with the first one, others take from the end.
  for (const Graph::SegmentIndex s : std::views::reverse(instance.graph().roots())) {
    Task& root = instance.task(s);
    if (release_one(root)) make_ready(me, root);
  }
}

void wait_for(Member& me, GraphInstance& instance) {
  if (TaskGroup* const group = instance.group()) wait_for_group(me, *group);
}

}  // namespace heddle
