#include "simulate/generate/amr_meshes.hpp"

#include <string>
#include <utility>

#include "amr/refine/load_balance.hpp"
#include "amr/refine/refinement.hpp"
#include "amr/refine/round_moves.hpp"
#include "program/user_error.hpp"

namespace heddle::simulate {
namespace {

amr::BlockTree bricks(const amr::Settings& settings) {
  amr::BlockTree tree(amr::Geometry(settings.roots(), settings.num_refine));
  amr::give_bricks(tree, settings.balance_rule());
  return tree;
}

/// The mesh as it changes (amr/exec/simulation.cpp), of all ranks at once.
class ChangingMesh {
 public:
  ChangingMesh(const amr::Settings& settings, amr::BlockTree roots)
      : settings_(settings),
        balance_(settings.balance_rule()),
        objects_(settings.objects),
        tree_(std::move(roots)) {}

  [[nodiscard]] const amr::BlockTree& tree() const { return tree_; }

  void move_objects() { amr::move_objects(objects_, kTimestep); }

  std::vector<AmrMeshes::Change> refine(int rounds) {
    std::vector<AmrMeshes::Change> changes;
    for (int n = 0; n < rounds; ++n) {
      refine_round(changes);
      if (settings_.lb_opt == 2) balance(changes);
    }
    balance(changes);
    is_first_ = false;
    return changes;
  }

 private:
  static constexpr double kTimestep = 1;  // where no --time is given

  [[nodiscard]] amr::RefinementPlan planned() const {
    amr::BlockTree of_one = tree_;
    for (int n = 0; n < of_one.size(); ++n) of_one.set_owner(n, 0);
    const amr::MarkingRule rule{settings_.uniform_refine != 0, settings_.refine_ghost, settings_.cells};
    return amr::plan_round(of_one, amr::Part(of_one, 0), objects_, rule).plan;
  }

  void refine_round(std::vector<AmrMeshes::Change>& changes) {
    const amr::RefinementPlan whole = planned();
    const amr::RoundMoves round = amr::plan_moves(tree_, whole, settings_.rank_count(), settings_.max_blocks);
    if (round.rank_without_room >= 0)
      throw program::UserError("--max_blocks " + std::to_string(settings_.max_blocks) +
                               " is too small; give " + std::to_string(round.needed) + " or more");
    AmrMeshes::Change& change = begin(changes, true, round.moves);
    for (const int leaf : whole.splits) plan_of(change, leaf).splits.push_back(leaf);
    for (const int leaf : whole.merges) plan_of(change, leaf).merges.push_back(leaf);
    tree_.apply(whole);
  }

  void balance(std::vector<AmrMeshes::Change>& changes) {
    if (settings_.lb_opt == 0 || settings_.uniform_refine != 0 || settings_.rank_count() == 1) return;
    if (amr::is_unbalanced(tree_, balance_))
      begin(changes, false, amr::balancing_moves(tree_, balance_, !is_first_));
  }

  AmrMeshes::Change& begin(std::vector<AmrMeshes::Change>& changes, bool is_round,
                           const std::vector<amr::BlockMove>& moves) {
    const auto ranks = static_cast<std::size_t>(settings_.rank_count());
    AmrMeshes::Change& change = changes.emplace_back(
        AmrMeshes::Change{is_round, tree_, std::vector<std::vector<amr::BlockMove>>(ranks), {}});
    change.plans.resize(is_round ? ranks : 0);
    for (const amr::BlockMove& move : moves) {
      const int from = tree_.key(move.leaf).owner;
      for (const int rank : {from, move.to}) change.moves[static_cast<std::size_t>(rank)].push_back(move);
      tree_.set_owner(move.leaf, move.to);
    }
    return change;
  }

  amr::RefinementPlan& plan_of(AmrMeshes::Change& change, int leaf) const {
    return change.plans[static_cast<std::size_t>(tree_.key(leaf).owner)];
  }

  const amr::Settings& settings_;
  const amr::BalanceRule balance_;
  std::vector<amr::Object> objects_;
  amr::BlockTree tree_;
  bool is_first_ = true;
};

}  // namespace

AmrMeshes::AmrMeshes(const amr::Settings& settings) : roots_(bricks(settings)), initial_{{}, roots_} {
  ChangingMesh mesh(settings, roots_);
  if (settings.num_refine > 0 || settings.uniform_refine != 0) {
    initial_.changes = mesh.refine(settings.num_refine);
    initial_.after = mesh.tree();
  }
  if (!settings.is_adaptive()) return;
  for (int timestep = 1; timestep <= settings.num_tsteps; ++timestep) {
    mesh.move_objects();
    if (timestep % settings.refine_freq != 0) continue;
    std::vector<Change> changes = mesh.refine(settings.block_change);
    refinements_.push_back({std::move(changes), mesh.tree()});
  }
}

AmrMeshes::Plans AmrMeshes::plans_of(const amr::BlockTree& tree, int rank, const amr::BlockStore& slots) {
  const amr::Part part(tree, rank);
  Plans result{amr::TransferPlan(part, slots), {}};
  result.messages = Messages(part, result.transfers);
  return result;
}

}  // namespace heddle::simulate
