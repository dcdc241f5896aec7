#include "simulate/generate/amr.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/refine/refinement.hpp"
#include "program/user_error.hpp"
#include "simulate/generate/amr_rank.hpp"
#include "simulate/generate/amr_variant.hpp"

namespace heddle::simulate {
namespace {

constexpr std::array<amr::VariantName, 4> kVariants{{
    {"serial", "one thread on each rank"},
    {"loop", "loops of all threads, messages by one of them"},
    {"data-flow", "tasks, messages among them"},
    {"reference", "one thread on each rank, messages before stencils"},
}};
constexpr std::array<AmrVariantMaker, kVariants.size()> kMakers{make_serial, make_loops, make_data_flow,
                                                                make_reference};

AmrVariantMaker maker_of(const std::string& variant) {
  for (std::size_t i = 0; i < kVariants.size(); ++i)
    if (kVariants[i].name == variant) return kMakers[i];
  throw program::UserError("the variant " + variant +
                           " cannot be generated; give serial, loop, data-flow or reference");
}

void check(const amr::Settings& settings) {
  const auto refuse = [](const char* what, const char* instead) {
    throw program::UserError(std::string(what) + " cannot be generated; " + instead);
  };
  if (settings.stencil != 7) refuse("another --stencil than 7", "trace a run, or leave it out");
  if (settings.halo != amr::Halo::faces) refuse("another --halo than faces", "trace a run, or leave it out");
  if (settings.code != 0) refuse("another --code than 0", "trace a run, or leave it out");
  if (settings.comm_vars != settings.num_vars) refuse("--comm_vars", "trace a run, or leave it out");
  if (settings.permute) refuse("--permute", "trace a run, or leave it out");
  if (settings.method != amr::BalanceMethod::rcb)
    refuse("another partition than bisection", "leave its option out");
  if (settings.time_given) refuse("--time", "give --num_tsteps");
}

/// One rank's run.
class RankWriter {
 public:
  RankWriter(const amr::Settings& settings, const AmrMeshes& meshes, int rank, int threads, ProcessText& text,
             AmrMeter& meter)
      : settings_(settings),
        meshes_(meshes),
        rank_(rank),
        text_(text),
        meter_(meter),
        variant_(maker_of(settings.variant)(settings, rank, threads, text, meter)) {}

  void write() {
    make_first_mesh();
    int timestep = 0;
    const auto run_to = [&](int last) {
      if (last > timestep) variant_->timesteps(*on_, last - timestep);
      timestep = last;
    };
    for (const AmrMeshes::Refinement& refinement : meshes_.refinements()) {
      run_to(timestep + settings_.refine_freq);
      refine(refinement);
    }
    run_to(settings_.num_tsteps);
    variant_->end_run();
  }

 private:
  // For the places of its blocks alone.
  void make_first_mesh() {
    const AmrAmounts before = meter_.amounts();
    const amr::Part part(meshes_.roots(), rank_);
    std::vector<mesh::BlockNumber> roots;
    for (int n = 0; n < part.own(); ++n) roots.push_back(part.leaf(n).number);
    std::sort(roots.begin(), roots.end());
    for (const mesh::BlockNumber root : roots) slots_.put(root, variant_->take());
    adopt(meshes_.roots());
    if (!meshes_.initial().changes.empty()) refine(meshes_.initial());
    meter_.add_difference(before, meter_.amounts(), -1);
    variant_->begin_run();
    adopt(meshes_.initial().after);
  }

  void adopt(const amr::BlockTree& tree) {
    on_ = std::make_unique<AmrRank>(settings_, AmrMeshes::plans_of(tree, rank_, slots_), mesh_++, text_);
  }

  // As Simulation::refine() in amr/exec. Collective calls: two for the marks, which as a rule nobody raises a
  // second time, one for everybody's plan, and one for a fingerprint behind it.
  void refine(const AmrMeshes::Refinement& refinement) {
    variant_->leave_mesh(*on_);
    for (const AmrMeshes::Change& change : refinement.changes) {
      const auto of_rank = static_cast<std::size_t>(rank_);
      if (change.is_round) {
        compute(AmrWork::kMarks, blocks_of(change.before));
        compute(AmrWork::kKeys, change.before.size());
        for (int n = 0; n < 3; ++n) variant_->meet();
      } else {
        compute(AmrWork::kBisection, change.before.size());
        variant_->meet();
      }
      variant_->migrate(slots_, change.before, change.moves[of_rank]);
      if (!change.is_round) continue;
      amr::move_splits(field_, *variant_, slots_, change.before, change.plans[of_rank], 0);
      amr::move_merges(field_, *variant_, slots_, change.before, change.plans[of_rank], 0);
    }
    compute(AmrWork::kPlans, blocks_of(refinement.after));
    variant_->finish_refinement();
    variant_->meet();
    adopt(refinement.after);
  }

  void compute(AmrWork work, double amount) { variant_->compute(meter_.ns(work, amount)); }

  [[nodiscard]] int blocks_of(const amr::BlockTree& tree) const {
    const auto keys = tree.keys();
    return static_cast<int>(
        std::count_if(keys.begin(), keys.end(), [&](const mesh::Key& key) { return key.owner == rank_; }));
  }

  const amr::Settings& settings_;
  const AmrMeshes& meshes_;
  const int rank_;
  ProcessText& text_;
  AmrMeter& meter_;
  std::unique_ptr<AmrVariant> variant_;
  amr::ContiguousField field_{settings_.shape(), settings_.halo};  // of no blocks: nothing is copied
  amr::BlockStore slots_;
  std::unique_ptr<AmrRank> on_;
  int mesh_ = 0;
};

}  // namespace

std::span<const amr::VariantName> amr_variants() {
  return kVariants;
}

AmrWorkload amr_workload(const amr::Settings& settings, const AmrMeshes& meshes, const AmrCosts& costs,
                         int threads) {
  check(settings);
  AmrMeter meter(costs);
  AmrWorkload result;
  result.workload = {"heddle-amr " + settings.variant, 1, amr_kinds(), {}};
  result.workload.processes.resize(static_cast<std::size_t>(settings.rank_count()));
  for (int rank = 0; ProcessText & text : result.workload.processes)
    RankWriter(settings, meshes, rank++, threads, text, meter).write();
  result.amounts = meter.amounts();
  return result;
}

AmrWorkload amr_workload(const amr::Settings& settings, const AmrCosts& costs) {
  return amr_workload(settings, AmrMeshes(settings), costs, 1);
}

}  // namespace heddle::simulate
