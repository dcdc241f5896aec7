// Graphs that a program hands over: tasks and who comes after whom, in place of a region that creates them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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
  std::span<const ReadyMadeTask> tasks;
  std::span<const std::size_t> first_successor;  // one more than tasks, from 0
  const std::size_t* successors = nullptr;
};

/// Records the tasks in an order in which each comes after its predecessors: their own, where it is one.
/// Returns what is wrong with them, or nullptr; where something is, nothing was recorded.
/// Requires: at most Recording::kMostNodes tasks.
const char* record(const ReadyMade& graph, Recording& recording);

}  // namespace heddle
