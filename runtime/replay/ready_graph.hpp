// Graphs that a program hands over, in place of a region that creates the tasks; they are executed like
// records of taskgraph regions.
//
// Unlike those they belong to no frame: what their tasks work on they know by their data alone. So any task
// may execute them, an explicit one as well, and several at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/recording.hpp"
#include "replay/graph_table.hpp"
#include "team/team.hpp"

namespace heddle {

struct ReadyMadeTask {
  void (*run)(void* data) = nullptr;
  void* data = nullptr;
  std::int32_t priority = 0;
};

/// Tasks and their successors in compressed rows: task i comes before the tasks
/// successors[first_successor[i]] … successors[first_successor[i + 1] - 1].
struct ReadyMade {
  std::size_t count = 0;
  const ReadyMadeTask* tasks = nullptr;
  const std::size_t* first_successor = nullptr;  // count + 1, from 0
  const std::size_t* successors = nullptr;
  std::int32_t max_priority = 0;  // higher ones count as this, and those below 0 as 0
};

/// Records the tasks in an order in which each comes after its predecessors: their own, where it is one.
/// Returns what is wrong with them, or nullptr; where something is, nothing was recorded.
const char* record(const ReadyMade& graph, Recording& recording);

/// One that can be executed.
struct ReadyGraph {
  explicit ReadyGraph(const void* made_at) : slot(GraphKey{}) { slot.where = made_at; }
  GraphSlot slot;
};

/// Copies a graph; its tasks' data stay the program's. where: the code that asks for it, for reports.
/// Returns nullptr where something is wrong with it, and says so in *wrong.
ReadyGraph* make_ready_graph(Member& me, const ReadyMade& graph, const void* where, const char** wrong);

/// Executes its tasks, as children of the current task, and waits for them and their descendants.
/// Cost: as a replay's (replay/replay.hpp), where one was executed by the same task before. An execution that
/// meets another of the same graph takes memory for tasks of its own.
void execute_ready_graph(Member& me, ReadyGraph& graph);

/// Requires: nobody executes it.
void free_ready_graph(ReadyGraph* graph);

}  // namespace heddle
