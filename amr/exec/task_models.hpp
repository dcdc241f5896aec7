// The variants whose phases are tasks. Each is a file of its name; tasks.hpp has what they share.
#pragma once

#include <memory>

#include "amr/exec/simulation.hpp"

namespace heddle::amr {

[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_task_1();
[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_task_2();
[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_taskloop();
[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_task_graph();
[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_data_flow();
[[nodiscard]] std::unique_ptr<Model<ContiguousField>> make_data_flow_graph();

class TaskSpawner;
/// A timestep of task-2.
bool execute_task_2(Simulation<ContiguousField>& simulation, TaskSpawner& spawner);

}  // namespace heddle::amr
