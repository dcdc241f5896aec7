// task-2: task-1 with the checksum as tasks with dependences: a block is summed as soon as its own stencil is
// done. The only wait is the one before validation.
#include "amr/exec/task_models.hpp"
#include "amr/exec/tasks.hpp"

namespace heddle::amr {
namespace {

class Task2 : public TaskModel {
 public:
  bool run_timestep(Simulation<ContiguousField>& simulation) override {
    TaskSpawner spawner(simulation);
    return execute_task_2(simulation, spawner);
  }
};

}  // namespace

bool execute_task_2(Simulation<ContiguousField>& simulation, TaskSpawner& spawner) {
  const bool all_passed = simulation.for_each_group([&](const StageGroup& group) {
    spawner.spawn(group, group.is_check);
    if (!group.is_check) return true;
#pragma omp taskwait
    return simulation.validate(group, group.first, group.last);
  });
#pragma omp taskwait
  return all_passed;
}

std::unique_ptr<Model<ContiguousField>> make_task_2() {
  return std::make_unique<Task2>();
}

}  // namespace heddle::amr
