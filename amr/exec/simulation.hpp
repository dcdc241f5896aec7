// The main loop, written once: initial data, refinements, timesteps, checks, motion, plots. A variant is a
// Model: it runs the stages of one timestep.
//
// Words: a *stage* exchanges ghosts and applies the stencil once to every variable, one *group* of variables
// (--comm_vars) after the other; a *check* compares a variable's sum with the one before. The *global stage*
// counts stages over the whole run.
//
// Invariant: results do not depend on the model.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "amr/exec/phases.hpp"
#include "amr/io/run_record.hpp"
#include "amr/io/watcher.hpp"
#include "amr/refine/load_balance.hpp"
#include "amr/refine/refinement.hpp"
#include "amr/refine/round_moves.hpp"
#include "storage/checkpoint.hpp"
#include "storage/plotfile.hpp"
#include "storage/schedule.hpp"

namespace heddle::amr {

/// One group of variables in one stage: what a model is asked to run.
struct StageGroup {
  int timestep = 0;
  int stage = 0;
  long long global_stage = 0;
  int first = 0;  // variables first..last-1
  int last = 0;
  bool is_check = false;
  std::array<int, kAxes> axes{};  // order of directions
};

template <class Field>
class Simulation;

template <class Field>
class Model {
 public:
  virtual ~Model() = default;
  /// Calls run(), which is the whole simulation, once, where the model wants it: within a parallel region,
  /// for instance, that lives as long. What run() throws comes through.
  virtual void enclose(const std::function<void()>& run) { run(); }
  /// Calls body(0..n-1), at the same time where the model has threads, and returns when all are done.
  virtual void for_each(int n, const std::function<void(int)>& body) = 0;
  /// What executes the copies of refinements and sends their blocks.
  [[nodiscard]] virtual std::unique_ptr<BlockWork> make_block_work(Simulation<Field>& simulation) {
    return std::make_unique<BlockLoops<Field>>(
        simulation.field(), [this](int n, const std::function<void(int)>& body) { for_each(n, body); });
  }
  /// Whether what run_timestep() has left in flight may stay so while the mesh changes. Then dependences
  /// order it, what the block work does, and the stages on the next mesh.
  [[nodiscard]] virtual bool overlaps_refinements(const Simulation<Field>& /*simulation*/) const {
    return false;
  }
  /// Called then before the mesh changes: no more tasks of it are created. Returns when nothing is in flight
  /// any more on the mesh that was left before this one.
  virtual void leave_mesh(Simulation<Field>& /*simulation*/) {}
  /// Calls read(b) for every block b, at the same time where the model has threads, before its interior is
  /// written again. Returns whether some may be under way still, until settle(); read() stays until then.
  /// Requires: nothing else is in flight.
  virtual bool read_blocks(Simulation<Field>& simulation, const std::function<void(int b)>& read) {
    for_each(simulation.phases().blocks(), read);
    return false;
  }
  /// Runs all stages of a timestep through simulation.for_each_group(). Returns false if a check failed; then
  /// nothing is in flight.
  virtual bool run_timestep(Simulation<Field>& simulation) = 0;
  /// Ends what run_timestep() has left in flight. Returns as that.
  virtual bool settle(Simulation<Field>& /*simulation*/) { return true; }
  /// Whether exchange, stencil and checksum are separate in time, so that their times mean something.
  [[nodiscard]] virtual bool phases_are_separate() const { return true; }
};

template <class Field>
class Simulation {
 public:
  /// Requires: settings are for as many ranks as there are, and the same on each.
  Simulation(const Settings& settings, Watcher& watcher, Communicator& ranks);

  /// Runs everything, once. Collective, like all that it calls.
  /// Errors: throws UserError, on every rank, if a refinement exceeds --max_blocks on one.
  [[nodiscard]] RunRecord run(Model<Field>& model);

  // What models use.

  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] Field& field() { return solver_.field; }
  /// On the mesh that is now. They stay until no task of the model uses them.
  [[nodiscard]] Phases<Field>& phases() { return *phases_.back(); }
  [[nodiscard]] const Phases<Field>& phases() const { return *phases_.back(); }
  [[nodiscard]] Communicator& ranks() const { return ranks_; }
  [[nodiscard]] Timings& timings() { return record_.timings; }
  /// The least that any rank says.
  [[nodiscard]] int agreed(int value) const { return static_cast<int>(-ranks_.most(-value)); }
  /// How often the mesh may have changed so far.
  [[nodiscard]] long long refinements() const { return record_.counters.refinements; }

  /// Calls run(group) for every group of every stage of this timestep until one returns false; returns
  /// whether none did.
  template <class RunGroup>
  bool for_each_group(RunGroup&& run) {
    for (int stage = 0; stage < settings_.stages_per_ts; ++stage, ++global_stage_) {
      StageGroup group;
      group.timestep = timestep_;
      group.stage = stage;
      group.global_stage = global_stage_;
      group.is_check = settings_.checksum_freq != 0 && stage % settings_.checksum_freq == 0;
      group.axes = axis_order(settings_.permute, global_stage_);
      count_stage(group);
      for (group.first = 0; group.first < settings_.num_vars; group.first = group.last) {
        group.last = std::min(group.first + settings_.comm_vars, settings_.num_vars);
        if (!run(group)) return false;
      }
    }
    return true;
  }

  /// Reduces, records and tests the sums of the variables first..last-1, in order. Returns false at the first
  /// that fails. Requires: phases.sums() ran for them on every leaf. Threads: one at a time, and variables in
  /// increasing order.
  bool validate(const StageGroup& group, int first, int last) {
    return validate(group, first, phases().totals(first, last));
  }
  /// The same with the totals of the variables from first on.
  bool validate(const StageGroup& group, int first, const std::vector<BlockSums>& totals);

 private:
  void run_all(Model<Field>& model);
  void initialise();
  void restore(Model<Field>& model);
  void save(Model<Field>& model);
  void finish_saving();
  void adopt_mesh(const Part& part);
  void refine(Model<Field>& model, int timestep, int rounds, bool overlaps);
  void refine_round(const std::string& when);
  [[nodiscard]] RefinementPlan plan(const Part& part);
  void expect_room(const RoundMoves& round, const std::string& when) const;
  void balance_load(bool is_first);
  void move(const std::vector<BlockMove>& moves);
  [[nodiscard]] int generation() const { return Phases<Field>::generation_of(global_stage_); }
  [[nodiscard]] OperationCounts clamp_operations_of_all() const;
  void gather_ranks();
  void count_stage(const StageGroup& group);
  [[nodiscard]] double choose_step() const;
  [[nodiscard]] bool is_at_end() const;
  void plot(Model<Field>& model, int timestep, double time);

  Settings settings_;
  BalanceRule balance_;
  Watcher& watcher_;
  Communicator& ranks_;
  Solver<Field> solver_;
  BlockTree tree_;
  BlockStore store_;
  std::deque<std::unique_ptr<Phases<Field>>> phases_;  // the last is that of the mesh that is now
  std::unique_ptr<BlockWork> work_;                    // from the first refinement on
  std::vector<double> old_sums_;
  RunRecord record_;
  storage::PlotSeries plots_;
  std::array<FaceCounts, kAxes> faces_{};  // that this rank has filled so far
  storage::CheckpointSchedule schedule_;
  std::unique_ptr<storage::CheckpointWriter> saving_;  // a checkpoint that is being written
  int saved_step_ = 0;
  std::function<void(int b)> save_block_;
  int timestep_ = 0;
  long long global_stage_ = 0;
  double time_ = 0.0;
  double delta_ = 1.0;  // of the timestep that is next
};

extern template class Simulation<ContiguousField>;
extern template class Simulation<SegregatedField>;

}  // namespace heddle::amr
