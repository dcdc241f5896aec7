// What heddle-amr does on any number of ranks, from its meshes alone: the stages of all timesteps, and the
// refinements between them. What makes the first mesh, plots and checkpoints are left out.
//
// Each variant is written down as the engine executes it (amr/exec): serial, one thread a rank; loop, loops
// of all threads between the messages of one; data-flow, tasks with dependences, messages among them. And
// reference, which the engine does not have: one thread a rank whose messages come before its stencils, as in
// the reference's program.
#pragma once

#include <span>

#include "amr/io/options.hpp"
#include "amr/io/settings.hpp"
#include "simulate/generate/amr_costs.hpp"
#include "simulate/generate/amr_meshes.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// Those that there are.
std::span<const amr::VariantName> amr_variants();

struct AmrWorkload {
  Workload workload;
  AmrAmounts amounts{};  // of the run, of all ranks
};

/// threads: of each rank. Requires: checked settings, a variant of amr_variants(), the meshes of them.
/// Errors: throws UserError for what is not written down: stencil 0 or 27, --code, groups of variables,
/// --permute.
AmrWorkload amr_workload(const amr::Settings& settings, const AmrMeshes& meshes, const AmrCosts& costs,
                         int threads);

/// Of one thread.
AmrWorkload amr_workload(const amr::Settings& settings, const AmrCosts& costs);

}  // namespace heddle::simulate
