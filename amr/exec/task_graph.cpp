// task-graph: the tasks of task-2, recorded once after each refinement and replayed until the next. On
// runtimes without taskgraphs they are created every time, as task-2 does; and where other ranks have blocks,
// since its messages are no tasks.
//
// data-flow-graph: the same with data-flow's messages as tasks, recorded and replayed with the others: what
// receives and sends starts its message anew each time, and is complete with it. A record's execution ends
// with its interval, so that checks are not delayed.
//
// Words: an *interval* is what is executed between two validations of a timestep, or between one and its
// beginning or end: nothing waits within. Intervals of one *shape* create the same tasks, and have one
// record: they have as many stages, begin with the same group of variables and the same order of axes, and
// both end with a validation or neither does.
#include <algorithm>
#include <map>
#include <memory>

#include "amr/exec/block_tasks.hpp"
#include "amr/exec/task_models.hpp"
#include "amr/exec/tasks.hpp"
#include "heddle.h"

namespace heddle::amr {
namespace {

class TaskGraph : public TaskModel {
 public:
  explicit TaskGraph(bool messages_are_tasks) : messages_are_tasks_(messages_are_tasks) {}

  [[nodiscard]] std::unique_ptr<BlockWork<ContiguousField>> make_block_work(ContiguousField& field) override {
    if (!messages_are_tasks_) return TaskModel::make_block_work(field);
    return std::make_unique<BlockTasks>(field);
  }

  bool run_timestep(Simulation<ContiguousField>& simulation) override {
    if (simulation.phases.has_other_ranks()) {
      if (!messages_are_tasks_) {
        TaskSpawner spawner(simulation);
        return execute_task_2(simulation, spawner);
      }
      if (messages_ == nullptr) messages_ = std::make_unique<MessageTasks>(simulation, origin_);
    }
    TaskSpawner spawner(simulation, origin_, messages_.get());
    bool is_open = false;
    const bool all_passed = simulation.for_each_group([&](const StageGroup& group) {
      if (!is_open) begin(simulation, group);
      is_open = true;
      if (entered_ != 0) spawner.spawn(group, group.is_check);
      if (messages_ != nullptr) messages_->count(group);
      if (!group.is_check) return true;
      end();
      is_open = false;
      return simulation.validate(group, group.first, group.last);
    });
    if (is_open) end();
    return all_passed;
  }

 private:
  // Of the interval that begins with `group`: another number for another shape.
  static unsigned long shape_of(const Simulation<ContiguousField>& simulation, const StageGroup& group) {
    const Settings& settings = simulation.settings();
    const int check = next_check(settings, group.stage);
    const int ends_in_check = check < settings.stages_per_ts ? 1 : 0;
    const int stages = std::min(check, settings.stages_per_ts) - group.stage;
    const int orders = settings.permute && !simulation.phases.all_axes_at_once() ? kAxisOrders : 1;
    const long long shape = ((2LL * stages + ends_in_check) * settings.num_vars + group.first) * orders +
                            group.global_stage % orders;
    return static_cast<unsigned long>(shape);
  }

  // The first stage from `stage` on that has one; that behind the last where none has.
  static int next_check(const Settings& settings, int stage) {
    const int every = settings.checksum_freq;
    return every == 0 ? settings.stages_per_ts : (stage + every - 1) / every * every;
  }

  // A record that is there is executed here; then no task is created until the interval's end.
  void begin(const Simulation<ContiguousField>& simulation, const StageGroup& group) {
    origin_ = group.global_stage;
    if (messages_ != nullptr) messages_->forget_turns();  // nothing is in flight
    const unsigned long shape = shape_of(simulation, group);
    heddle_taskgraph_clauses_t clauses{.graph_id = shape};
    long long& recorded_after = recorded_after_[shape];
    clauses.graph_reset = recorded_after != simulation.refinements() ? 1 : 0;
    recorded_after = simulation.refinements();
    // The tasks share nothing of any frame: this object stands for where they are from.
    entered_ = heddle_taskgraph_enter_(&construct_, clauses, this);
  }

  void end() {
    if (entered_ != 0) heddle_taskgraph_leave_(entered_);
  }

  bool messages_are_tasks_;
  std::unique_ptr<MessageTasks> messages_;  // null: on one rank
  heddle_taskgraph_t construct_{};
  std::map<unsigned long, long long> recorded_after_;  // by shape: so many refinements
  long long origin_ = 0;                               // the interval's first global stage
  int entered_ = 0;                                    // not 0: this execution creates the tasks
};

}  // namespace

std::unique_ptr<Model<ContiguousField>> make_task_graph() {
  return std::make_unique<TaskGraph>(false);
}

std::unique_ptr<Model<ContiguousField>> make_data_flow_graph() {
  return std::make_unique<TaskGraph>(true);
}

}  // namespace heddle::amr
