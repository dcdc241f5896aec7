// Graphs that a program hands over, executed like records of taskgraph regions.
//
// Unlike those they belong to no frame: what their tasks work on they know by their data alone. So any task
// may execute them, an explicit one as well, and several at once.
#pragma once

#include <cstdint>

#include "graph/ready_made.hpp"
#include "replay/graph_table.hpp"
#include "team/team.hpp"

namespace heddle {

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
