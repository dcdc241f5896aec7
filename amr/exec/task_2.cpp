// task-2: task-1 with the checksum as tasks with dependences: a block is summed as soon as its own stencil is
// done. The only wait is the one before validation.
#include "amr/exec/tasks.hpp"
#include "amr/exec/variants.hpp"

namespace heddle::amr {
namespace {

class Task2 : public Model<ContiguousField> {
 public:
  bool run_timestep(Simulation<ContiguousField>& simulation) override {
    bool all_passed = true;
#pragma omp parallel default(none) shared(simulation, all_passed)
#pragma omp single
    {
      TaskSpawner spawner(simulation);
      all_passed = simulation.for_each_group([&](const StageGroup& group) {
        spawner.spawn_with_sums(group);
        if (!group.is_check) return true;
#pragma omp taskwait
        return simulation.validate(group, group.first, group.last);
      });
    }
    return all_passed;
  }

  [[nodiscard]] bool phases_are_separate() const override { return false; }
};

}  // namespace

RunRecord run_task_2(const Settings& settings, Watcher& watcher) {
  Simulation<ContiguousField> simulation(settings, watcher);
  Task2 model;
  return simulation.run(model);
}

}  // namespace heddle::amr
