// The meshes of a run of heddle-amr without their fields: what each rank has, what it exchanges with whom,
// and what refinements change.
#pragma once

#include <span>
#include <vector>

#include "amr/field/octree.hpp"
#include "amr/io/settings.hpp"
#include "amr/refine/migration.hpp"
#include "exchange/message_plan.hpp"

namespace heddle::simulate {

class AmrMeshes {
 public:
  using Messages = exchange::MessagePlan<amr::kAxes, amr::kRatio>;

  /// Of one rank on one mesh.
  struct Plans {
    amr::TransferPlan transfers;
    Messages messages;
  };

  /// A round of a refinement, or a balancing of the load behind the rounds: blocks that change their rank,
  /// and then, in a round, those that are split and joined.
  struct Change {
    bool is_round;
    amr::BlockTree before;                           // with the ranks that have the blocks before
    std::vector<std::vector<amr::BlockMove>> moves;  // by rank: from it and to it
    std::vector<amr::RefinementPlan> plans;          // by the rank that has the blocks then
  };
  struct Refinement {
    std::vector<Change> changes;
    amr::BlockTree after;
  };

  /// Requires: checked settings.
  explicit AmrMeshes(const amr::Settings& settings);

  /// Roots alone, as the ranks have them at the start.
  [[nodiscard]] const amr::BlockTree& roots() const { return roots_; }
  /// That before the first timestep: around the objects, and balanced.
  [[nodiscard]] const Refinement& initial() const { return initial_; }
  /// Those behind every so many timesteps (--refine_freq), and of them the one behind the last.
  [[nodiscard]] std::span<const Refinement> refinements() const { return refinements_; }

  /// slots: where the data of the rank's blocks lies.
  [[nodiscard]] static Plans plans_of(const amr::BlockTree& tree, int rank, const amr::BlockStore& slots);

 private:
  amr::BlockTree roots_;
  Refinement initial_;
  std::vector<Refinement> refinements_;
};

}  // namespace heddle::simulate
