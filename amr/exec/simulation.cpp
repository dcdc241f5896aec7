#include "amr/exec/simulation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <type_traits>

#include "amr/field/clock.hpp"
#include "amr/io/checkpoint_state.hpp"
#include "amr/io/plotfile.hpp"
#include "amr/refine/refinement.hpp"
#include "exchange/share_marks.hpp"
#include "mesh/fingerprint.hpp"
#include "program/fail_together.hpp"
#include "program/range.hpp"
#include "program/user_error.hpp"
#include "storage/checkpoint.hpp"

namespace heddle::amr {
namespace {

// A block as a checkpoint has it. Where a variable's values lie together they are written from there.
template <class Field>
void list_values(Field& field, int slot, storage::BlockValues& values) {
  if constexpr (std::is_same_v<Field, ContiguousField>) {
    if (!field.shape().keeps_ghosts) {
      for (int v = 0; v < field.shape().num_vars; ++v)
        values.pieces.emplace_back(field.row(slot, v, 1, 1), field.shape().interior_cells());
      return;
    }
  }
  BlockCarrier carrier(field, 0);  // packs alone
  values.room.resize(carrier.doubles());
  carrier.pack(slot, values.room);
  values.pieces.emplace_back(values.room);
}

std::vector<int> kept_shape(const Settings& settings) {
  const auto kept = settings.shape().kept();
  return {kept.begin(), kept.end()};
}

template <class Field>
storage::ForEach threads_of(Model<Field>& model) {
  return [&model](int n, const std::function<void(int)>& body) { model.for_each(n, body); };
}

}  // namespace

template <class Field>
Simulation<Field>::Simulation(const Settings& settings, Watcher& watcher, Communicator& ranks)
    : settings_(settings),
      balance_(settings.balance_rule()),
      watcher_(watcher),
      ranks_(ranks),
      solver_(settings, ranks),
      tree_(Geometry(settings.roots(), settings.num_refine)),
      plots_(settings.plot_file),
      schedule_(settings.checkpoint, ranks) {
  if (settings.checkpoint.restart.empty()) give_bricks(tree_, balance_);
}

template <class Field>
void Simulation<Field>::adopt_mesh(const Part& part) {
  phases_.push_back(std::make_unique<Phases<Field>>(solver_, tree_.geometry(), part, store_));
}

template <class Field>
void Simulation<Field>::initialise() {
  RandomStream stream;
  if (settings_.stencil == 0) solver_.constants = draw_mixture_constants(stream, settings_.num_vars);
  const Part part(tree_, ranks_.rank());
  // A rank's stream goes through its roots in the order of their numbers.
  std::vector<mesh::BlockNumber> roots;
  for (int n = 0; n < part.own(); ++n) roots.push_back(part.leaf(n).number);
  std::sort(roots.begin(), roots.end());
  for (const mesh::BlockNumber root : roots) {
    const int slot = field().acquire();
    if (settings_.initial_values == InitialValues::block) {
      BlockStream of_block(root);
      fill_initial_values(field(), slot, of_block);
    } else {
      fill_initial_values(field(), slot, stream);
    }
    store_.put(root, slot);
  }
  adopt_mesh(part);
  for (int n = 0; n < phases().blocks(); ++n) phases().sums(n, 0, settings_.num_vars);
  for (const BlockSums& total : phases().totals(0, settings_.num_vars)) old_sums_.push_back(total.sum);
  record_.initial_sums = old_sums_;
  record_.initial_objects = settings_.objects;
}

template <class Field>
void Simulation<Field>::restore(Model<Field>& model) {
  const program::Range range("read a checkpoint");
  if (settings_.stencil == 0) {
    RandomStream stream;  // as at the start
    solver_.constants = draw_mixture_constants(stream, settings_.num_vars);
  }
  program::fail_together(ranks_, [&] {
    const storage::CheckpointReader file(settings_.checkpoint.restart, kCheckpointProgram);
    std::vector<mesh::Key> keys = file.head().keys;
    if (file.head().block_shape != kept_shape(settings_))
      throw program::UserError(fmt::format(
          "{} has not all values that --stencil {} reads: an earlier version has written it; start "
          "the run anew, without --restart",
          settings_.checkpoint.restart, settings_.stencil));
    if (!BlockTree::are_leaves(tree_.geometry(), keys))
      throw program::UserError(
          fmt::format("{} has a mesh that this program does not make; give another --restart",
                      settings_.checkpoint.restart));
    storage::deal_out(keys, ranks_.size());
    tree_ = BlockTree(tree_.geometry(), std::move(keys));
    const std::vector<int> blocks = tree_.leaves_per_owner(ranks_.size());
    if (const int most = *std::max_element(blocks.begin(), blocks.end()); most > settings_.max_blocks)
      throw program::UserError(fmt::format(
          "--max_blocks {} is too small: a rank gets {} blocks of {}; give --max_blocks {} or more",
          settings_.max_blocks, most, settings_.checkpoint.restart, most));
    std::vector<int> leaves, slots;
    for (int leaf = 0; leaf < tree_.size(); ++leaf) {
      if (tree_.key(leaf).owner != ranks_.rank()) continue;
      leaves.push_back(leaf);
      slots.push_back(field().reserve());
      store_.put(tree_.leaf(leaf).number, slots.back());
    }
    RunState state = run_state_of(file.head().state, settings_.checkpoint.restart);
    timestep_ = state.timestep;
    global_stage_ = state.global_stage;
    BlockCarrier carrier(field(), generation());
    file.read(leaves, threads_of(model), [&](int n, const std::vector<double>& values) {
      carrier.unpack(slots[static_cast<std::size_t>(n)], values);
    });
    time_ = state.time;
    delta_ = state.delta;
    old_sums_ = std::move(state.old_sums);
    for (const auto& plot : state.plots) plots_.add(plot);
    record_ = std::move(state.record);
  });
  adopt_mesh(Part(tree_, ranks_.rank()));
}

// Requires: nothing is in flight, and no checkpoint is being written.
template <class Field>
void Simulation<Field>::save(Model<Field>& model) {
  const program::Range range("write a checkpoint");
  const double start = wall_seconds();
  storage::CheckpointHead head;
  RunState state{timestep_, global_stage_, time_, delta_, old_sums_, settings_.objects, plots_.entries(), {}};
  state.record.counters = record_.counters;
  state.record.counters.operations += clamp_operations_of_all();
  state.record.counters.peak_blocks = static_cast<int>(ranks_.most(record_.counters.peak_blocks));
  head.block_shape = kept_shape(settings_);
  if (ranks_.rank() == 0) {
    state.record.initial_sums = record_.initial_sums;
    state.record.initial_objects = record_.initial_objects;
    state.record.refinements = record_.refinements;
    state.record.timesteps = record_.timesteps;
    state.record.checks = record_.checks;
    head.program = kCheckpointProgram;
    head.ratio = kRatio;
    head.roots.assign(tree_.geometry().roots().begin(), tree_.geometry().roots().end());
    head.deepest_level = tree_.geometry().deepest_level();
    head.state = to_text(settings_, state);
    head.keys.assign(tree_.keys().begin(), tree_.keys().end());
  }
  const std::string path = storage::checkpoint_path(settings_.checkpoint.prefix, timestep_);
  const Part part(tree_, ranks_.rank());
  std::vector<int> leaves;  // by block
  for (int n = 0; n < part.own(); ++n) leaves.push_back(part.leaf_index(n));
  saving_ = std::make_unique<storage::CheckpointWriter>(path, head, part.own(), ranks_);
  saved_step_ = timestep_;
  save_block_ = [this, of = &phases(), leaves = std::move(leaves)](int b) {
    const program::Range range("write a block");
    saving_->write(leaves[static_cast<std::size_t>(b)],
                   [&](storage::BlockValues& values) { list_values(field(), of->plan().slot(b), values); });
  };
  schedule_.written();
  const bool is_under_way = model.read_blocks(*this, save_block_);
  record_.timings.checkpoint += wall_seconds() - start;
  if (!is_under_way) finish_saving();
}

// Requires: what save() has begun is not in flight any more. Collective.
template <class Field>
void Simulation<Field>::finish_saving() {
  if (saving_ == nullptr) return;
  const double start = wall_seconds();
  saving_->finish();
  saving_ = nullptr;
  if (ranks_.rank() == 0)
    storage::remove_old_checkpoints(settings_.checkpoint.prefix, saved_step_, settings_.checkpoint.keep);
  record_.timings.checkpoint += wall_seconds() - start;
}

template <class Field>
RefinementPlan Simulation<Field>::plan(const Part& part) {
  const MarkingRule rule{settings_.uniform_refine != 0, settings_.refine_ghost, settings_.cells};
  const PlannedRound mine =
      plan_round(tree_, part, settings_.objects, rule, exchange::share_marks(part, ranks_));
  record_.timings.compare_objects += mine.compare_seconds;
  record_.timings.mark += mine.mark_seconds;
  return exchange::gather_plan(mine.plan, ranks_);
}

// Every rank finds the same, and throws the same.
template <class Field>
void Simulation<Field>::expect_room(const RoundMoves& round, const std::string& when) const {
  if (round.rank_without_room < 0) return;
  const std::string where = ranks_.size() > 1 ? fmt::format(" on rank {}", round.rank_without_room) : "";
  throw program::UserError(
      fmt::format("--max_blocks {} is too small: the refinement {} needs {} blocks{}; give "
                  "--max_blocks {} or more, or a smaller --num_refine",
                  settings_.max_blocks, when, round.needed, where, round.needed));
}

template <class Field>
void Simulation<Field>::refine_round(const std::string& when) {
  Counters& c = record_.counters;
  Timings& t = record_.timings;
  const RefinementPlan whole = plan(Part(tree_, ranks_.rank()));
  const RoundMoves round = plan_moves(tree_, whole, ranks_.size(), settings_.max_blocks);
  expect_room(round, when);
  const double planned = wall_seconds();
  move(round.moves);
  const auto is_mine = [&](int leaf) { return tree_.key(leaf).owner == ranks_.rank(); };
  RefinementPlan mine;
  std::copy_if(whole.splits.begin(), whole.splits.end(), std::back_inserter(mine.splits), is_mine);
  std::copy_if(whole.merges.begin(), whole.merges.end(), std::back_inserter(mine.merges), is_mine);
  const double moved = wall_seconds();
  move_splits(field(), *work_, store_, tree_, mine, generation());
  const double split = wall_seconds();
  move_merges(field(), *work_, store_, tree_, mine, generation());
  tree_.apply(whole);
  c.split += static_cast<long long>(whole.splits.size());
  c.reformed += static_cast<long long>(whole.merges.size());
  c.redistributions += round.is_redistribution ? 1 : 0;
  c.peak_blocks =
      std::max(c.peak_blocks, static_cast<int>(round.peaks[static_cast<std::size_t>(ranks_.rank())]));
  t.move += moved - planned;
  t.split += split - moved;
  t.merge += wall_seconds() - split;
}

template <class Field>
void Simulation<Field>::move(const std::vector<BlockMove>& moves) {
  work_->migrate(store_, tree_, moves, ranks_, generation());
  for (const BlockMove& move : moves) tree_.set_owner(move.leaf, move.to);
  record_.counters.moved += static_cast<long long>(moves.size());
}

template <class Field>
void Simulation<Field>::balance_load(bool is_first) {
  if (settings_.lb_opt == 0 || settings_.uniform_refine != 0 || ranks_.size() == 1) return;
  if (!is_unbalanced(tree_, balance_)) return;
  const program::Range range("balance the load");
  const double start = wall_seconds();
  const std::vector<BlockMove> moves = balancing_moves(tree_, balance_, !is_first, ranks_);
  const std::vector<int> blocks = blocks_after(tree_, moves, ranks_.size());
  const auto most = std::max_element(blocks.begin(), blocks.end());
  if (*most > settings_.max_blocks)
    throw program::UserError(fmt::format(
        "--max_blocks {} is too small: load balancing gives rank {} {} blocks; give --max_blocks {} or "
        "more, or --lb_opt 0",
        settings_.max_blocks, most - blocks.begin(), *most, *most));
  move(moves);
  ++record_.counters.balancings;
  record_.timings.balance += wall_seconds() - start;
}

// overlaps: stages may be in flight; else nothing is, and is left so.
template <class Field>
void Simulation<Field>::refine(Model<Field>& model, int timestep, int rounds, bool overlaps) {
  const program::Range range("refine");
  const double start = wall_seconds();
  Counters& c = record_.counters;
  const bool is_first = record_.refinements.empty();
  if (work_ == nullptr) work_ = model.make_block_work(*this);
  if (overlaps) model.leave_mesh(*this);
  phases_.erase(phases_.begin(), phases_.end() - 1);
  for (int round = 0; round < rounds; ++round) {
    refine_round(fmt::format("at timestep {}, round {} of {},", timestep, round + 1, rounds));
    if (settings_.lb_opt == 2) balance_load(is_first);
  }
  balance_load(is_first);
  const Part part(tree_, ranks_.rank());
  adopt_mesh(part);
  if (!overlaps) {
    work_->finish();
    phases_.pop_front();
  }
  ++c.refinements;
  c.fewest_blocks = is_first ? tree_.size() : std::min(c.fewest_blocks, tree_.size());
  c.most_blocks = std::max(c.most_blocks, tree_.size());
  record_.refinements.push_back({timestep, tree_.leaves_per_level(), tree_.size(), c.split, c.reformed,
                                 ranks_.sum_of_bits(mesh::fingerprint(part)), settings_.objects});
  watcher_.refined(record_.refinements.back());
  const double spent = wall_seconds() - start;
  record_.timings.refine += spent;
  if (is_first) record_.timings.refine_initial = spent;
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
    faces_[d].same += groups * phases().face_counts()[d].same;
    faces_[d].different += groups * phases().face_counts()[d].different;
    faces_[d].boundary += groups * phases().face_counts()[d].boundary;
  }
  for (int v = 0; v < settings_.num_vars; ++v) {
    c.operations += operations_per_cell(settings_.stencil, v, settings_.num_vars, group.global_stage) * cells;
  }
}

template <class Field>
bool Simulation<Field>::validate(const StageGroup& group, int first, const std::vector<BlockSums>& totals) {
  if (first == 0) record_.checks.push_back({group.timestep, group.stage, {}, {}, {}});
  CheckRecord& check = record_.checks.back();
  const double tolerance = std::pow(10.0, -settings_.error_tol);
  int v = first;
  for (const BlockSums& total : totals) {
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
    old_sums_[v++] = total.sum;
  }
  return true;
}

template <class Field>
bool Simulation<Field>::is_at_end() const {
  if (!settings_.time_given) return timestep_ >= settings_.num_tsteps;
  return (settings_.num_tsteps_given && timestep_ >= settings_.num_tsteps) || time_ >= settings_.end_time;
}

template <class Field>
double Simulation<Field>::choose_step() const {
  if (settings_.num_tsteps_given) return settings_.end_time / settings_.num_tsteps;
  return longest_step(settings_.objects, tree_.geometry(), settings_.cells);
}

template <class Field>
void Simulation<Field>::plot(Model<Field>& model, int timestep, double time) {
  const program::Range range("plot");
  const double start = wall_seconds();
  if (settings_.plot_format == PlotFormat::reference) {
    program::fail_together(ranks_, [&] { watcher_.plot(tree_, timestep); });  // one rank writes
  } else {
    plots_.add({timestep, time});
    storage::write_plotfile(plots_.path_of(timestep), tree_,
                            plot_content(settings_, field(), phases().plan(), time, timestep), ranks_,
                            threads_of(model));
    program::fail_together(ranks_, [&] {
      if (ranks_.rank() == 0) plots_.write();
    });
  }
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
  bool is_done = false;
  if (settings_.checkpoint.restart.empty()) {
    initialise();
    t.initialise = wall_seconds() - start;
    record_.counters.peak_blocks = phases().blocks();
    if (settings_.num_refine > 0 || settings_.uniform_refine != 0)
      refine(model, 0, settings_.num_refine, !settings_.plots_after(0) && model.overlaps_refinements(*this));
    if (settings_.plots_after(0)) plot(model, 0, 0.0);
    if (settings_.time_given) delta_ = choose_step();
  } else {
    restore(model);
    t.initialise = wall_seconds() - start;
    is_done = is_at_end();
  }
  while (!is_done) {
    ++timestep_;
    record_.timesteps.push_back({timestep_, time_, delta_});
    watcher_.timestep_begins(record_.timesteps.back());
    const double stages_start = wall_seconds();
    const bool refines = settings_.is_adaptive() && timestep_ % settings_.refine_freq == 0;
    const bool plots = settings_.plots_after(timestep_);
    const bool shows_cells = plots && settings_.plot_format == PlotFormat::amrex;
    bool all_passed = model.run_timestep(*this);
    const storage::CheckpointSchedule::Answer checkpoint = schedule_.after(timestep_);
    const bool must_settle = shows_cells || checkpoint.is_due || saving_ != nullptr;
    const bool overlaps = refines && !must_settle && model.overlaps_refinements(*this);
    if (must_settle || (refines && !overlaps)) all_passed = all_passed && model.settle(*this);
    t.stages += wall_seconds() - stages_start;
    finish_saving();
    if (!all_passed) {
      record_.failed = true;
      break;
    }
    if (settings_.is_adaptive()) move_objects(settings_.objects, delta_);
    if (refines) refine(model, timestep_, settings_.block_change, overlaps);
    time_ += delta_;
    if (plots) plot(model, timestep_, time_);
    t.total = wall_seconds() - start;
    watcher_.timestep_ends(record_, tree_);
    is_done = is_at_end();
    if (!is_done && settings_.time_given) delta_ = choose_step();
    if (checkpoint.is_due) save(model);
    record_.was_stopped = checkpoint.must_end && !is_done;
    is_done = is_done || checkpoint.must_end;
  }
  const double settling = wall_seconds();
  if (!record_.failed) record_.failed = !model.settle(*this);
  if (work_ != nullptr) work_->finish();
  t.stages += wall_seconds() - settling;
  finish_saving();
  Counters& c = record_.counters;
  c.operations += clamp_operations_of_all();
  if (record_.refinements.empty()) c.fewest_blocks = c.most_blocks = tree_.size();
  record_.final_objects = settings_.objects;
  record_.phases_are_separate = model.phases_are_separate();
  t.total = wall_seconds() - start;
  gather_ranks();
}

// Of all ranks, so far. Requires: no stencil runs.
template <class Field>
OperationCounts Simulation<Field>::clamp_operations_of_all() const {
  ClampCounts clamps = solver_.clamps;
  for (const auto& phases : phases_) {
    const ClampCounts of_mesh = phases->clamp_counts();
    clamps.above += of_mesh.above;
    clamps.below += of_mesh.below;
  }
  return clamp_operations({ranks_.sum(clamps.above), ranks_.sum(clamps.below)});
}

// Every rank learns what each did.
template <class Field>
void Simulation<Field>::gather_ranks() {
  RankRecord mine;
  mine.timings = record_.timings;
  for (int d = 0; d < kAxes; ++d) mine.axes[d] = {faces_[d], solver_.messages.traffic()[d]};
  mine.partners = solver_.messages.partners();
  mine.peak_blocks = record_.counters.peak_blocks;
  mine.allocations = static_cast<long long>(solver_.field.allocations());
  mine.allocated_bytes = static_cast<long long>(solver_.field.allocated_bytes());
  mine.parents = parents_of_ranks(tree_, ranks_.size())[static_cast<std::size_t>(ranks_.rank())];
  using Words = std::array<int, sizeof(RankRecord) / sizeof(int)>;
  const std::vector<int> all = ranks_.gather(std::bit_cast<Words>(mine));
  for (std::size_t first = 0; first < all.size(); first += std::tuple_size_v<Words>) {
    Words words;
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), words.size(), words.begin());
    record_.ranks.push_back(std::bit_cast<RankRecord>(words));
  }
  record_.counters.peak_blocks = static_cast<int>(ranks_.most(record_.counters.peak_blocks));
}

template class Simulation<ContiguousField>;
template class Simulation<SegregatedField>;

}  // namespace heddle::amr
