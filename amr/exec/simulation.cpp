#include "amr/exec/simulation.hpp"

#include <fmt/core.h>

#include <cmath>

#include "amr/exec/clock.hpp"
#include "amr/io/error.hpp"
#include "amr/refine/refinement.hpp"

namespace heddle::amr {

template <class Field>
Simulation<Field>::Simulation(const Settings& settings, Watcher& watcher)
    : phases(settings),
      settings_(settings),
      watcher_(watcher),
      tree_(Geometry(settings.roots(), settings.num_refine)) {}

template <class Field>
void Simulation<Field>::initialise() {
  RandomStream stream;
  if (settings_.stencil == 0) phases.set_constants(draw_mixture_constants(stream, settings_.num_vars));
  // The stream goes through the roots in the order of their numbers.
  for (mesh::BlockNumber root = 0; root < tree_.size(); ++root) {
    const int slot = phases.field.acquire();
    fill_initial_values(phases.field, slot, stream);
    store_.put(root, slot);
  }
  phases.adopt(tree_.geometry(), Part(tree_, 0), store_);
  for (int n = 0; n < phases.blocks(); ++n) phases.sums(n, 0, settings_.num_vars);
  for (int v = 0; v < settings_.num_vars; ++v) old_sums_.push_back(phases.total(v).sum);
  record_.initial_sums = old_sums_;
  record_.initial_objects = settings_.objects;
}

template <class Field>
void Simulation<Field>::refine(Model<Field>& model, int timestep, int rounds) {
  const double start = wall_seconds();
  Counters& c = record_.counters;
  Timings& t = record_.timings;
  const MarkingRule rule{settings_.uniform_refine != 0, settings_.refine_ghost, settings_.cells};
  for (int round = 0; round < rounds; ++round) {
    PlannedRound next;
    try {
      next = plan_round(tree_, Part(tree_, 0), settings_.objects, rule, settings_.max_blocks);
    } catch (const CapacityExceeded& e) {
      throw UserError(fmt::format(
          "--max_blocks {} is too small: the refinement at timestep {} needs {} blocks in round {} of {}; "
          "give --max_blocks {} or more, or a smaller --num_refine",
          settings_.max_blocks, timestep, e.needed(), round + 1, rounds, e.needed()));
    }
    const double planned = wall_seconds();
    const auto for_each = [&](int n, const std::function<void(int)>& copy) { model.for_each(n, copy); };
    move_splits(phases.field, store_, tree_, next.plan, for_each);
    const double split = wall_seconds();
    move_merges(phases.field, store_, tree_, next.plan, for_each);
    tree_.apply(next.plan);
    c.split += static_cast<long long>(next.plan.splits.size());
    c.reformed += static_cast<long long>(next.plan.merges.size());
    c.redistributions += next.would_redistribute ? 1 : 0;
    c.peak_blocks = std::max(c.peak_blocks, next.peak_blocks);
    t.compare_objects += next.compare_seconds;
    t.mark += next.mark_seconds;
    t.split += split - planned;
    t.merge += wall_seconds() - split;
  }
  phases.adopt(tree_.geometry(), Part(tree_, 0), store_);
  ++c.refinements;
  const bool is_first = record_.refinements.empty();
  c.fewest_blocks = is_first ? tree_.size() : std::min(c.fewest_blocks, tree_.size());
  c.most_blocks = std::max(c.most_blocks, tree_.size());
  record_.refinements.push_back({timestep, tree_.leaves_per_level(), tree_.size(), c.split, c.reformed,
                                 tree_.fingerprint(), settings_.objects});
  watcher_.refined(record_.refinements.back());
  const double spent = wall_seconds() - start;
  t.refine += spent;
  if (is_first) t.refine_initial = spent;
}

template <class Field>
void Simulation<Field>::count_stage(const StageGroup& group) {
  Counters& c = record_.counters;
  const double cells =
      static_cast<double>(tree_.size()) * static_cast<double>(settings_.shape().interior_cells());
  ++c.stages;
  c.blocks_over_stages += tree_.size();
  c.cell_updates += cells * settings_.num_vars;
  const long long groups = (settings_.num_vars + settings_.comm_vars - 1) / settings_.comm_vars;
  for (int d = 0; d < kAxes; ++d) {
    c.faces[d].same += groups * phases.face_counts()[d].same;
    c.faces[d].different += groups * phases.face_counts()[d].different;
    c.faces[d].boundary += groups * phases.face_counts()[d].boundary;
  }
  for (int v = 0; v < settings_.num_vars; ++v) {
    c.operations += operations_per_cell(settings_.stencil, v, settings_.num_vars, group.global_stage) * cells;
  }
}

template <class Field>
bool Simulation<Field>::validate(const StageGroup& group, int first, int last) {
  if (first == 0) record_.checks.push_back({group.timestep, group.stage, {}, {}, {}});
  CheckRecord& check = record_.checks.back();
  const double tolerance = std::pow(10.0, -settings_.error_tol);
  for (int v = first; v < last; ++v) {
    const BlockSums total = phases.total(v);
    check.sum.push_back(total.sum);
    if (!settings_.results.empty()) {
      check.sumsq.push_back(total.sumsq);
      check.moment.push_back(total.moment);
    }
    ++record_.counters.checksums;
    watcher_.checked(group.timestep, v, total.sum, old_sums_[v]);
    const bool is_tested = settings_.stencil != 0 || v == 0;
    if (is_tested && std::abs(total.sum - old_sums_[v]) / old_sums_[v] > tolerance) {
      record_.mismatch_messages.push_back(
          fmt::format("Time step {} sum {:.6f} (old {:.6f}) variable {} difference too large", group.timestep,
                      total.sum, old_sums_[v], v));
      watcher_.check_failed(record_.mismatch_messages.back());
      return false;
    }
    old_sums_[v] = total.sum;
  }
  return true;
}

template <class Field>
double Simulation<Field>::choose_step() const {
  if (settings_.num_tsteps_given) return settings_.end_time / settings_.num_tsteps;
  return longest_step(settings_.objects, tree_.geometry(), settings_.cells);
}

template <class Field>
void Simulation<Field>::plot(int timestep) {
  const double start = wall_seconds();
  watcher_.plot(tree_, timestep);
  record_.timings.plot += wall_seconds() - start;
}

template <class Field>
RunRecord Simulation<Field>::run(Model<Field>& model) {
  model.enclose([&] { run_all(model); });
  return std::move(record_);
}

template <class Field>
void Simulation<Field>::run_all(Model<Field>& model) {
  const double start = wall_seconds();
  Timings& t = record_.timings;
  initialise();
  t.initialise = wall_seconds() - start;
  record_.counters.peak_blocks = tree_.size();
  if (settings_.num_refine > 0 || settings_.uniform_refine != 0) refine(model, 0, settings_.num_refine);
  if (settings_.plot_freq != 0) plot(0);

  double delta = settings_.time_given ? choose_step() : 1.0;
  double sim_time = 0.0;
  bool is_done = false;
  while (!is_done) {
    ++timestep_;
    record_.timesteps.push_back({timestep_, sim_time, delta});
    watcher_.timestep_begins(record_.timesteps.back());
    const double stages_start = wall_seconds();
    const bool all_passed = model.run_timestep(*this);
    t.stages += wall_seconds() - stages_start;
    record_.counters.operations += clamp_operations(phases.take_clamp_counts());
    if (!all_passed) {
      record_.failed = true;
      break;
    }
    if (settings_.is_adaptive()) {
      move_objects(settings_.objects, delta);
      if (timestep_ % settings_.refine_freq == 0) refine(model, timestep_, settings_.block_change);
    }
    if (settings_.plot_freq != 0 && timestep_ % settings_.plot_freq == 0) plot(timestep_);
    sim_time += delta;
    t.total = wall_seconds() - start;
    watcher_.timestep_ends(record_, tree_);
    if (settings_.time_given) {
      is_done = settings_.num_tsteps_given && timestep_ >= settings_.num_tsteps;
      if (!is_done) {
        delta = choose_step();
        is_done = sim_time >= settings_.end_time;
      }
    } else {
      is_done = timestep_ >= settings_.num_tsteps;
    }
  }
  Counters& c = record_.counters;
  if (record_.refinements.empty()) c.fewest_blocks = c.most_blocks = tree_.size();
  c.parents = static_cast<int>(tree_.parents());
  record_.final_objects = settings_.objects;
  record_.allocations = phases.field.allocations();
  record_.allocated_bytes = phases.field.allocated_bytes();
  record_.phases_are_separate = model.phases_are_separate();
  t.total = wall_seconds() - start;
}

template class Simulation<ContiguousField>;
template class Simulation<SegregatedField>;

}  // namespace heddle::amr
