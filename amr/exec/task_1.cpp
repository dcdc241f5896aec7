// task-1: exchange and stencil are tasks with dependences, so that they overlap across blocks and stages; the
// checksum waits for all of them and is a taskloop over blocks.
#include "amr/exec/tasks.hpp"
#include "amr/exec/variants.hpp"

namespace heddle::amr {
namespace {

class Task1 : public Model<ContiguousField> {
 public:
  bool run_timestep(Simulation<ContiguousField>& simulation) override {
    bool all_passed = true;
#pragma omp parallel default(none) shared(simulation, all_passed)
#pragma omp single
    {
      TaskSpawner spawner(simulation);
      all_passed = simulation.for_each_group([&](const StageGroup& group) {
        spawner.for_each_chunk(group, [&](const TaskChunk& chunk) { spawner.spawn(group, chunk); });
        return !group.is_check || check(simulation, group);
      });
    }
    return all_passed;
  }

  [[nodiscard]] bool phases_are_separate() const override { return false; }

 private:
  static bool check(Simulation<ContiguousField>& simulation, const StageGroup& group) {
    Phases<ContiguousField>* phases = &simulation.phases;
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

RunRecord run_task_1(const Settings& settings, Watcher& watcher) {
  Simulation<ContiguousField> simulation(settings, watcher);
  Task1 model;
  return simulation.run(model);
}

}  // namespace heddle::amr
