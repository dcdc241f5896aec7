#include "replay/ready_graph.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "icv/settings.hpp"
#include "replay/replay.hpp"
#include "replay/taskgraph.hpp"

namespace heddle {
namespace {

std::span<const std::size_t> successors_of(const ReadyMade& graph, std::size_t task) {
  const std::size_t first = graph.first_successor[task];
  return {graph.successors + first, graph.first_successor[task + 1] - first};
}

const char* what_is_wrong(const ReadyMade& graph) {
  const std::size_t count = graph.count;
  if (count == 0) return nullptr;  // there may be no arrays
  if (count > TaskLog::kMost) return "it has more than 16 million tasks";
  if (graph.tasks == nullptr || graph.first_successor == nullptr)
    return "its tasks or first successors are null";
  const std::span first_successor(graph.first_successor, count + 1);
  if (first_successor.front() != 0) return "first_successor does not begin with 0";
  if (!std::ranges::is_sorted(first_successor)) return "first_successor descends";
  const std::size_t edges = first_successor.back();
  if (edges > UINT32_MAX) return "it has more than 4 billion edges";
  if (edges != 0 && graph.successors == nullptr) return "its successors are null";
  for (const std::size_t successor : std::span(graph.successors, edges))
    if (successor >= count) return "a successor is no task of it";
  for (const ReadyMadeTask& task : std::span(graph.tasks, count))
    if (task.run == nullptr) return "a task has no function";
  return nullptr;
}

// Each after those before it: by their numbers, where they may. Fewer than all where a task waits for itself.
std::vector<NodeIndex> order_of(const ReadyMade& graph) {
  const std::size_t count = graph.count;
  std::vector<NodeIndex> order;
  order.reserve(count);
  bool leads_upwards = true;
  std::vector<std::uint32_t> awaited(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t s : successors_of(graph, i)) {
      ++awaited[s];
      leads_upwards = leads_upwards && s > i;
    }
  }
  for (NodeIndex i = 0; i < count; ++i)
    if (leads_upwards || awaited[i] == 0) order.push_back(i);
  if (leads_upwards) return order;
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const std::size_t s : successors_of(graph, order[next]))
      if (--awaited[s] == 0) order.push_back(static_cast<NodeIndex>(s));
  return order;
}

}  // namespace

const char* record(const ReadyMade& graph, Recording& recording) {
  if (const char* const wrong = what_is_wrong(graph)) return wrong;
  const std::size_t count = graph.count;
  const std::vector<NodeIndex> order = order_of(graph);
  if (order.size() < count) return "some of its tasks wait for themselves, in a cycle";

  std::vector<NodeIndex> number(count);
  for (NodeIndex i = 0; i < count; ++i) number[order[i]] = i;
  std::vector<std::uint32_t> first(count + 1);
  std::vector<NodeIndex> predecessors;
  fill_edge_lists(
      first.size(), [&](std::size_t i) -> std::uint32_t& { return first[i]; }, predecessors,
      [&](auto&& visit) {
        for (std::size_t i = 0; i < count; ++i)
          for (const std::size_t s : successors_of(graph, order[i]))
            visit(number[s], static_cast<NodeIndex>(i));
      });

  for (std::size_t i = 0; i < count; ++i) {
    const ReadyMadeTask& task = graph.tasks[order[i]];
    RecordedTask node;
    node.run = [](void* code, void* data) { reinterpret_cast<void (*)(void*)>(code)(data); };
    node.code = reinterpret_cast<void*>(task.run);
    node.data = static_cast<char*>(task.data);
    node.priority = std::clamp(task.priority, 0, graph.max_priority);
    const auto before = std::span(predecessors).subspan(first[i], first[i + 1] - first[i]);
    std::ranges::sort(before);
    const auto end = std::unique(before.begin(), before.end());
    recording.add_task(node, std::span(before.begin(), end));
  }
  return nullptr;
}

namespace {

using State = GraphSlot::State;

// A final task's tasks are included: executed at once, by its thread. What of a graph a cancellation would
// discard is not known to the thread that waits for it.
bool is_replayed_serially(const Member& me) {
  return me.context.task->is_final() || settings().is_cancellable;
}

}  // namespace

ReadyGraph* make_ready_graph(Member& me, const ReadyMade& graph, const void* where, const char** wrong) {
  Recording recording;
  if ((*wrong = record(graph, recording)) != nullptr) return nullptr;
  auto made = std::make_unique<ReadyGraph>(where);
  const Bundles bundles = bundles_for(me);
  made->slot.keep(std::make_unique<Record>(recording, bundles, made->slot.origin()), bundles, 0, 0);
  made->slot.pipeline->prepare(me);
  made->slot.access.give_back(State::kRecorded);
  made->slot.add_to_log();
  return made.release();
}

void execute_ready_graph(Member& me, ReadyGraph& graph) {
  if (is_recording(me)) refuse_to_record(me, "a ready-made graph is executed in it (not yet)");
  GraphSlot& slot = graph.slot;
  slot.executions.fetch_add(1);
  if (is_replayed_serially(me)) return replay_serially(me, *slot.record);
  if (slot.access.claim() == GraphClaim<>::Answer::kClaimed) {
    slot.log("executed");
    slot.pipeline->execute(me);
    slot.access.give_back(State::kRecorded);
  } else {
    slot.log("executed beside another execution of it");
    ReplayPipeline(*slot.record).execute(me);
  }
}

void free_ready_graph(ReadyGraph* graph) {
  graph->slot.forget();
  graph->slot.remove_from_log();
  delete graph;
}

}  // namespace heddle
