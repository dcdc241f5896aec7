#include "simulate/generate/amr_mesh.hpp"

#include <vector>

#include "amr/refine/refinement.hpp"
#include "mesh/partition.hpp"

namespace heddle::simulate {

AmrMesh::AmrMesh(const amr::Settings& settings)
    : tree_(amr::Geometry(settings.roots(), settings.num_refine)) {
  const amr::MarkingRule rule{settings.uniform_refine != 0, settings.refine_ghost, settings.cells};
  for (int round = 0; round < settings.num_refine; ++round) {
    for (int n = 0; n < tree_.size(); ++n) tree_.set_owner(n, 0);
    tree_.apply(amr::plan_round(tree_, amr::Part(tree_, 0), settings.objects, rule).plan);
  }
  const auto cuts = mesh::cuts_of<amr::kAxes>(settings.ranks, settings.reorder == 1);
  const mesh::BisectionRule bisection{settings.change_dir, settings.group_blocks, settings.break_ties};
  tree_.set_owners(mesh::bisect(tree_, cuts, bisection));
}

AmrMesh::Plans AmrMesh::plans_of(int rank) const {
  const amr::Part part(tree_, rank);
  exchange::BlockStore store;
  for (int n = 0; n < part.own(); ++n) store.put(part.leaf(n).number, n);
  Plans result{amr::TransferPlan(part, store), {}};
  result.messages = Messages(part, result.transfers);
  return result;
}

}  // namespace heddle::simulate
