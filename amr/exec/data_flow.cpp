// data-flow: task-2 whose messages are tasks, too, and whose checks are validated one check later. The only
// waits are those for a check's sums, and, before the mesh changes, for what is in flight on the mesh before
// this one: what tasks of two meshes use may be there at once, and tags tell their messages apart.
//
// Words: a check is *due* when its tasks have been created, and *pending* until it is validated. Its sums
// stand in one of two tables, those of the next check in the other.
//
// Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications",
// 2020, section IV, algorithm 4.
#include <deque>
#include <memory>
#include <vector>

#include "amr/exec/block_tasks.hpp"
#include "amr/exec/check_tasks.hpp"
#include "amr/exec/task_models.hpp"
#include "amr/exec/tasks.hpp"

namespace heddle::amr {
namespace {

using Field = ContiguousField;

class DataFlow : public TaskModel {
 public:
  bool run_timestep(Simulation<Field>& simulation) override {
    if (messages_ == nullptr || messages_->refinements() != simulation.refinements())
      messages_ = std::make_unique<MessageTasks>(simulation, kFromTheBeginning, false);
    TaskSpawner spawner(simulation, messages_.get());
    const bool all_passed = simulation.for_each_group([&](const StageGroup& group) {
      spawner.spawn(group, group.is_check, table_);
      messages_->count(group);
      if (!group.is_check) return true;
      spawn_reduction(simulation, group, spawner);
      if (group.last < simulation.settings().num_vars) return true;
      table_ = 1 - table_;  // the other one's check is validated before it is used again
      const std::size_t later = simulation.settings().delay_checks != 0 ? groups_due_ : 0;
      groups_due_ = 0;
      return validate_all_but(simulation, later);
    });
    if (!all_passed) end();
    return all_passed;
  }

  [[nodiscard]] std::unique_ptr<BlockWork> make_block_work(Simulation<Field>& simulation) override {
    return std::make_unique<BlockTasks>(simulation.field(),
                                        TaskSpawner(simulation).addresses(simulation.settings()));
  }

  // The creating threads of all ranks meet in collective calls: behind one of those a rank would wait for
  // messages of another whose thread waits in the next, if threads executed no tasks there.
  [[nodiscard]] bool overlaps_refinements(const Simulation<Field>& simulation) const override {
    return simulation.ranks().is_task_aware();
  }

  void leave_mesh(Simulation<Field>& simulation) override {
#pragma omp taskwait depend(out : left_[0])
    TaskSpawner(simulation).leave(simulation.settings(), left_);
    if (messages_ != nullptr) messages_->leave(left_);
    left_messages_ = std::move(messages_);
  }

  bool read_blocks(Simulation<Field>& simulation, const std::function<void(int b)>& read) override {
    TaskSpawner(simulation).spawn_reads(simulation.settings(), read);
    return true;
  }

  bool settle(Simulation<Field>& simulation) override {
    const bool all_passed = validate_all_but(simulation, 0);
    end();
    return all_passed;
  }

 private:
  struct Check {
    StageGroup group;
    CheckSums sums;
  };

  void end() {
#pragma omp taskwait
    checks_.clear();
  }

  void spawn_reduction(Simulation<Field>& simulation, const StageGroup& group, const TaskSpawner& spawner) {
    Check& check = checks_.emplace_back(Check{group, {group.first, group.last, table_}});
    ++groups_due_;
    check_tasks_.spawn(simulation.phases(), check.sums, spawner.sums_of(group, table_));
  }

  bool validate_all_but(Simulation<Field>& simulation, std::size_t later) {
    while (checks_.size() > later) {
      Check& check = checks_.front();
      [[maybe_unused]] CheckSums* due = &check.sums;
#pragma omp taskwait depend(in : due[0])
      const StageGroup& group = check.group;
      if (!simulation.validate(group, group.first, CheckTasks::totals(simulation.phases(), check.sums)))
        return false;
      checks_.pop_front();
    }
    return true;
  }

  std::unique_ptr<MessageTasks> messages_, left_messages_;  // of the mesh that is now, and the one before
  char left_[1] = {};                                       // read by the tasks that end with the latter
  std::deque<Check> checks_;                                // pending; they stay where they are
  std::size_t groups_due_ = 0;                              // of the newest check
  int table_ = 0;
  CheckTasks check_tasks_{false};
};

}  // namespace

std::unique_ptr<Model<ContiguousField>> make_data_flow() {
  return std::make_unique<DataFlow>();
}

}  // namespace heddle::amr
