// Small workloads, written down in a test.
#pragma once

#include <utility>
#include <vector>

#include "simulate/engine/simulation.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

inline TaskText task_of(std::int64_t ns, std::vector<DependenceOn> dependences = {}) {
  TaskText result;
  result.dependences = std::move(dependences);
  result.script = {{Op::kWork, ns}};
  return result;
}

/// One region, in which one thread creates the tasks and all wait in a barrier.
inline Workload created_by_one(std::vector<TaskText> tasks) {
  ProcessText process{std::move(tasks), {}, {}, {}, {}, {}, {}, {}, {}};
  Script creations;
  for (std::size_t i = 0; i < process.tasks.size(); ++i)
    creations.push_back({Op::kCreate, static_cast<std::int64_t>(i)});
  process.scripts.push_back(creations);
  process.regions.push_back({0, 2, false, {{Op::kSingle, 0}, {Op::kBarrier, 0}}});
  process.main = {{Op::kRegion, 0}};
  return {"made", 2, {"task"}, {std::move(process)}};
}

/// The process of a workload that has one.
inline ProcessText& only(Workload& workload) {
  return workload.processes.at(0);
}
inline const ProcessText& only(const Workload& workload) {
  return workload.processes.at(0);
}

/// A runtime that costs nothing.
inline Setting free_of_cost(int workers) {
  Setting result;
  result.workers = workers;
  result.costs = {};
  result.costs.spin = 1e18;
  result.costs.messages.eager_limit = 1000;
  return result;
}

inline double duration(const Workload& workload, int workers) {
  return simulate(workload, free_of_cost(workers)).duration;
}

}  // namespace heddle::simulate
