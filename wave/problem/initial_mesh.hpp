// The mesh that a problem begins with, without what patches hold: for those who want to know what a run would
// do, of any number of ranks, in one process.
//
// Invariant: its leaves and their owners are those of a Simulation of the same problem on as many ranks.
#pragma once

#include <memory>
#include <vector>

#include "exchange/face_plan.hpp"
#include "mesh/partition.hpp"
#include "wave/exec/marks.hpp"
#include "wave/exec/patch_graph.hpp"
#include "wave/flux/lanes.hpp"
#include "wave/patch/face_states.hpp"

namespace heddle::wave {

struct PatchSize {
  double lanes = 0, partial_lanes = 0;  // groups of kLanes volumes in its rows, and of fewer at their ends
  double surface = 0;                   // volumes along its faces, counted once for each face
  /// Doubles that one layer takes in a message.
  double state_layer = 0;
  double face_state_layer = 0;  // 0: the scheme has no face states
};

class InitialMesh {
 public:
  /// One rank's share. messages: of the graph, in its order.
  struct Share {
    PatchGraph graph;
    std::vector<exchange::FaceMessage> messages;
  };

  virtual ~InitialMesh() = default;
  [[nodiscard]] virtual int patches() const = 0;
  [[nodiscard]] virtual Share share_of(int rank) const = 0;
  [[nodiscard]] virtual PatchSize size() const = 0;
};

template <Equation E, int D, int R>
class InitialMeshOf final : public InitialMesh {
 public:
  InitialMeshOf(const Problem<E, D>& problem, const MeshSettings<D>& settings, const Criterion<D>& criterion,
                int ranks)
      : tree_(geometry_of<R>(problem, settings)), shape_(settings.volumes) {
    const Lattice<D, R> lattice(tree_.geometry(), settings.volumes, problem.length);
    const MarkRule<E, D, R> rule{problem, settings, criterion, lattice};
    Patches<E, D> patches(settings.volumes);
    double* const values = patches.values(patches.take(), 0);
    for (int level = 0; level < settings.deepest_level; ++level) {
      for (int n = 0; n < tree_.size(); ++n) tree_.set_owner(n, 0);
      const mesh::Part<D, R> part(tree_, 0);
      mesh::Marks marks = rule.marks(part, 0.0, true, [&](int patch) {
        fill_initially(problem, lattice, part.leaf(patch).id, patches, values);
        return largest_jump(shape_, values);
      });
      mesh::balance(marks, part);
      const mesh::RefinementPlan plan = mesh::plan_refinement(marks, part);
      if (plan.is_empty()) break;
      tree_.apply(plan);
    }
    tree_.set_owners(mesh::cut_between_families(tree_, ranks));
    const auto rows = static_cast<double>(shape_.face_volumes());
    size_ = {rows * (settings.volumes / kLanes), settings.volumes % kLanes == 0 ? 0.0 : rows, 2 * D * rows,
             static_cast<double>(shape_.face_volumes() * E::kUnknowns),
             settings.limiter ? static_cast<double>(shape_.face_volumes() * kRecordValues<E>) : 0.0};
  }

  [[nodiscard]] int patches() const override { return tree_.size(); }
  [[nodiscard]] PatchSize size() const override { return size_; }
  [[nodiscard]] Share share_of(int rank) const override {
    const mesh::Part<D, R> part(tree_, rank);
    exchange::BlockStore store;
    for (int n = 0; n < part.own(); ++n) store.put(part.leaf(n).number, n);
    const exchange::FacePlan<D, R> plan(part, exchange::TransferPlan<D, R>(part, store));
    return {PatchGraph(part, plan.messages()), plan.messages()};
  }

 private:
  mesh::BlockTree<D, R> tree_;
  PatchShape<D> shape_;
  PatchSize size_;
};

}  // namespace heddle::wave
