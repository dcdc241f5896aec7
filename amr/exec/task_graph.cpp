// task-graph: the tasks of task-2, recorded once after each refinement and replayed until the next. On
// runtimes without taskgraphs they are created every time; and where other ranks have blocks this is task-2,
// since its messages are no tasks.
//
// data-flow-graph: the same with data-flow's messages as tasks, recorded and replayed with the others: what
// receives and sends starts its message anew each time, and is complete with it.
//
// Words: an *interval* is what a record holds: as many stages as it takes until what tasks do, and when they
// check, begins anew. A check's sums are *delivered* by a task; the creating thread *validates* them, in
// order.
//
// Executions of intervals overlap, and nothing waits between them. So the creating thread validates a check
// some intervals later: the runtime lets so many executions overlap, and no more. It is the same number on
// every rank, or one would stop while others wait for its messages.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "amr/exec/block_tasks.hpp"
#include "amr/exec/check_tasks.hpp"
#include "amr/exec/task_models.hpp"
#include "amr/exec/tasks.hpp"
#include "heddle.h"

namespace heddle::amr {
namespace {

using Field = ContiguousField;

constexpr int kMostOverlapping = 4;  // docs/runtime/taskgraphs.md

// From the tasks to the creating thread, in the order of the checks.
class Delivered {
 public:
  void add(const CheckSums& check) {
    const std::lock_guard held(mutex_);
    checks_.push_back(check);
  }
  std::optional<CheckSums> take() {
    const std::lock_guard held(mutex_);
    if (checks_.empty()) return std::nullopt;
    std::optional<CheckSums> first(std::move(checks_.front()));
    checks_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::deque<CheckSums> checks_;
};

class TaskGraph : public TaskModel {
 public:
  explicit TaskGraph(bool messages_are_tasks) : messages_are_tasks_(messages_are_tasks) {}

  [[nodiscard]] std::unique_ptr<BlockWork> make_block_work(Simulation<Field>& simulation) override {
    if (!messages_are_tasks_) return TaskModel::make_block_work(simulation);
    return std::make_unique<BlockTasks>(simulation.field(),
                                        TaskSpawner(simulation).addresses(simulation.settings()));
  }

  bool run_timestep(Simulation<Field>& simulation) override {
    if (simulation.phases().has_other_ranks()) {
      if (!messages_are_tasks_) {
        TaskSpawner spawner(simulation);
        return execute_task_2(simulation, spawner);
      }
      if (messages_ == nullptr || messages_->refinements() != simulation.refinements())
        messages_ = std::make_unique<MessageTasks>(simulation, origin_, heddle_is_here() != 0);
    }
    TaskSpawner spawner(simulation, origin_, messages_.get());
    const Settings& settings = simulation.settings();
    const int length = stages_of_interval(settings);
    const bool all_passed = simulation.for_each_group([&](const StageGroup& group) {
      if (group.first == 0 && group.stage % length == 0) begin(simulation, group);
      if (entered_ != 0) spawner.spawn(group, group.is_check, table_);
      if (messages_ != nullptr) messages_->count(group);
      const bool is_last = group.last == settings.num_vars;
      if (group.is_check) check(simulation, group, spawner, is_last);
      if (!is_last || (group.stage + 1) % length != 0) return true;
      if (entered_ != 0) heddle_taskgraph_leave_(entered_);
      return validate_up_to(simulation,
                            settings.delay_checks != 0 ? interval_ - kMostOverlapping : interval_);
    });
    if (!all_passed) end();
    return all_passed;
  }

  bool settle(Simulation<Field>& simulation) override {
    end();
    return validate_up_to(simulation, interval_);
  }

 private:
  struct Due {
    StageGroup group;
    long long interval;
  };

  // Stages whose tasks differ by nothing but their number: that of the faces' generations, of orders of axes,
  // or of what stencil 0 updates.
  static int cycle(const Simulation<Field>& simulation) {
    if (simulation.settings().permute || simulation.phases().variables_couple()) return kAxisOrders;
    return simulation.phases().has_faces() ? 2 : 1;
  }

  // From check to check where that is a number of cycles and divides a timestep, or twice as much; else all
  // of a timestep.
  static int stages_of_interval(const Settings& settings) {
    if (settings.checksum_freq == 0) return settings.stages_per_ts;
    const int length = std::lcm(settings.checksum_freq, 2);
    return settings.stages_per_ts % length == 0 ? length : settings.stages_per_ts;
  }

  // A record that is there is executed here; then no task is created until the interval's end.
  void begin(const Simulation<Field>& simulation, const StageGroup& group) {
    const bool mesh_changed = refinements_ != simulation.refinements();
    // Tasks count stages from the origin: another number of cycles later they do the same.
    if (mesh_changed || (group.global_stage - origin_) % cycle(simulation) != 0) {
      end();
      origin_ = group.global_stage;
    }
    if (mesh_changed) checks_.clear();
    refinements_ = simulation.refinements();
    ++interval_;
    checks_created_ = 0;
    table_ = 0;
    if (messages_ != nullptr) messages_->forget_turns();
    const Settings& settings = simulation.settings();
    const bool orders_differ = settings.permute && !simulation.phases().all_axes_at_once();
    heddle_taskgraph_clauses_t clauses{};
    clauses.graph_id = orders_differ ? static_cast<unsigned long>(group.global_stage % kAxisOrders) : 0;
    clauses.nogroup = settings.delay_checks != 0 ? 1 : 0;
    long long& recorded_after = recorded_after_[clauses.graph_id];
    clauses.graph_reset = recorded_after != simulation.refinements() ? 1 : 0;
    recorded_after = simulation.refinements();
    // The tasks share nothing of any frame: this object stands for where they are from.
    entered_ = heddle_taskgraph_enter_(&construct_, clauses, this);
  }

  static void end() {
#pragma omp taskwait
  }

  void check(Simulation<Field>& simulation, const StageGroup& group, const TaskSpawner& spawner,
             bool is_last) {
    due_.push_back({group, interval_});
    if (entered_ != 0) spawn_check(simulation, group, spawner);
    if (is_last) table_ = 1 - table_;
  }

  // Every interval has the same checks in the same order, whose tasks are recorded: the sums of one execution
  // are read before the next one's are written.
  void spawn_check(Simulation<Field>& simulation, const StageGroup& group, const TaskSpawner& spawner) {
    if (checks_created_ == checks_.size()) checks_.push_back({group.first, group.last, table_});
    CheckSums* check = &checks_[checks_created_++];
    check_tasks_.spawn(simulation.phases(), *check, spawner.sums_of(group, table_));
    Delivered* to = &delivered_;
#pragma omp task default(none) firstprivate(check, to) depend(in : check[0]) depend(inout : to[0])
    to->add(*check);
  }

  bool validate_up_to(Simulation<Field>& simulation, long long interval) {
    while (!due_.empty() && due_.front().interval <= interval) {
      std::optional<CheckSums> sums = delivered_.take();
      if (!sums.has_value()) {  // where executions are not replayed, nothing limits how many there are
        end();
        sums = delivered_.take();
      }
      const StageGroup group = due_.front().group;
      due_.pop_front();
      if (!simulation.validate(group, group.first, CheckTasks::totals(simulation.phases(), *sums)))
        return false;
    }
    return true;
  }

  bool messages_are_tasks_;
  std::unique_ptr<MessageTasks> messages_;  // null: on one rank
  heddle_taskgraph_t construct_{};
  std::map<unsigned long, long long> recorded_after_;  // by graph: so many refinements
  long long origin_ = 0;                               // stages of tasks are counted from it
  long long refinements_ = -1;                         // so many when the newest tasks were created
  long long interval_ = 0;                             // the newest, counted from 1
  int entered_ = 0;                                    // not 0: this execution creates the tasks
  std::deque<CheckSums> checks_;                       // of an interval; they stay where they are
  std::size_t checks_created_ = 0;
  int table_ = 0;        // of the next check's sums: those of one are read while the next one's are written
  std::deque<Due> due_;  // not validated yet
  Delivered delivered_;
  CheckTasks check_tasks_{heddle_is_here() != 0};
};

}  // namespace

std::unique_ptr<Model<ContiguousField>> make_task_graph() {
  return std::make_unique<TaskGraph>(false);
}

std::unique_ptr<Model<ContiguousField>> make_data_flow_graph() {
  return std::make_unique<TaskGraph>(true);
}

}  // namespace heddle::amr
