// task-1: exchange and stencil are tasks with dependences, so that they overlap across blocks and stages; the
// checksum waits for all of them and is a taskloop over blocks.
#include "amr/exec/task_models.hpp"
#include "amr/exec/tasks.hpp"

namespace heddle::amr {
namespace {

class Task1 : public TaskModel {
 public:
  bool run_timestep(Simulation<ContiguousField>& simulation) override {
    TaskSpawner spawner(simulation);
    const bool all_passed = simulation.for_each_group([&](const StageGroup& group) {
      spawner.spawn(group, false);
      return !group.is_check || check(simulation, group);
    });
#pragma omp taskwait
    return all_passed;
  }

 private:
  static bool check(Simulation<ContiguousField>& simulation, const StageGroup& group) {
    Phases<ContiguousField>* phases = &simulation.phases();
    const auto blocks =
        static_cast<std::size_t>(phases->blocks());  // unsigned: Clang counts taskloop iterations so
    const int first = group.first;
    const int last = group.last;
#pragma omp taskwait
#pragma omp taskloop default(none) firstprivate(phases, first, last, blocks)
    for (std::size_t b = 0; b < blocks; ++b) phases->sums(static_cast<int>(b), first, last);
    return simulation.validate(group, first, last);
  }
};

}  // namespace

std::unique_ptr<Model<ContiguousField>> make_task_1() {
  return std::make_unique<Task1>();
}

}  // namespace heddle::amr
