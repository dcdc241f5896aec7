// Executing what a taskgraph region has recorded.
#pragma once

#include <memory>

#include "graph/instance.hpp"
#include "graph/record.hpp"
#include "sched/lengths.hpp"
#include "tasking/taskloop.hpp"
#include "team/team.hpp"

namespace heddle {

class ReplayInstance;

/// Of a bundle: its nodes are chunks.
struct BundleLoop : Taskloop {
  ReplayInstance* instance = nullptr;
  Graph::SegmentIndex segment = 0;
  const GraphNode* nodes = nullptr;
};

/// An instance whose tasks are executed by teams.
class ReplayInstance final : public GraphInstance {
 public:
  ReplayInstance(const Graph& graph, bool is_first);

  alignas(kCacheLine) SampledLength lengths;  // of its nodes: of segments, or batches of a bundle

 private:
  void execute(Task& task) override;

  const std::unique_ptr<BundleLoop[]> bundles_;
};

/// Begins to execute the graph's tasks as children of the current task. counts_too: see TaskGroup.
/// Requires: no other replay of the instance is going on; the one before it in its ring was started.
/// Cost: no allocation of memory, no lock, and nothing that grows with the number of dependences of a task.
void start(Member& me, GraphInstance& instance, TaskGroup* counts_too);
/// Waits for them and their descendants.
void wait_for(Member& me, GraphInstance& instance);

/// Executes all tasks of a record here, in the order of their creation, and waits for their descendants.
/// Requires: it has no events.
void execute_in_turn(Member& me, const Record& record);

}  // namespace heddle
