// Graphs that a program hands over: tasks and who comes after whom, in place of a region that creates them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/recording.hpp"

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

}  // namespace heddle
