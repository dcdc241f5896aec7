#include "team/replay.hpp"

#include "deps/dependence_table.hpp"
#include "team/tasking.hpp"
#include "team/taskloop.hpp"

namespace heddle {
namespace {

void execute_node(Member& me, const GraphNode& node) {
  if (node.run == nullptr) return;
  if (!node.waits_for_descendants) return node.execute();
  taskgroup_begin(me);
  node.execute();
  taskgroup_end(me);
}

// The rest of a segment behind a node of which something goes on: each node has a Task of its own.
void execute_apart(Member& me, std::span<const GraphNode> nodes) {
  for (const GraphNode& node : nodes) {
    Task& task = new_task(me, 0, 0);
    begin_undeferred(me, task, {});
    execute_node(me, node);
    end_undeferred(me, task);
  }
}

void execute_nodes(Member& me, Task& task, std::span<const GraphNode> nodes) {
  const DataEnvironment* const environment = task.environment;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    execute_node(me, nodes[i]);
    task.environment = environment;
    if (task.is_plain() && task.child_table == nullptr) [[likely]]
      continue;
    if (renew_chunk_task(me, task)) continue;
    GraphInstance::of(task).set_stale();
    return execute_apart(me, nodes.subspan(i + 1));
  }
}

// Hands out what waited for this segment alone. Returns a task for this member to go on with, or nullptr.
Task* release_successors(Member& me, GraphInstance& instance, Graph::SegmentIndex segment) {
  Task* successor = nullptr;
  const bool wants_one = takes_successors(me);
  const auto release = [&](Task& next) {
    if (!release_one(next)) return;
    if (wants_one && successor == nullptr && may_succeed(me, next))
      successor = &next;
    else
      make_ready(me, next);
  };
  const Graph& graph = instance.graph();
  for (const Graph::SegmentIndex s : graph.successors_of(segment)) release(instance.task(s));
  for (const Graph::SegmentIndex s : graph.carried_from(segment)) release(instance.next().task(s));
  return successor;
}

}  // namespace

void run_segment(Task& task) {
  Member& me = this_member();
  GraphInstance& instance = GraphInstance::of(task);
  const Graph::SegmentIndex index = instance.segment_of(task);
  const GraphSegment& segment = instance.graph().segments()[index];
  instance.arm(task, segment);
  execute_nodes(me, task, instance.graph().nodes_of(segment));
  task.last_successor = release_successors(me, instance, index);
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
  for (const Graph::SegmentIndex s : instance.graph().roots()) {
    Task& root = instance.task(s);
    if (release_one(root)) make_ready(me, root);
  }
}

void wait_for(Member& me, GraphInstance& instance) {
  if (TaskGroup* const group = instance.group()) wait_for_group(me, *group);
}

}  // namespace heddle
