// What heddle-amr does on any number of ranks, from its mesh alone: its stages, on the mesh that the first
// timestep begins with, without refinements.
//
// Each variant is written down as the engine executes it (amr/exec): serial, one thread a rank; loop, loops
// of all threads between the messages of one; data-flow, tasks with dependences, messages among them.
#pragma once

#include <span>

#include "amr/io/options.hpp"
#include "amr/io/settings.hpp"
#include "simulate/generate/amr_costs.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// Those that there are.
std::span<const amr::VariantName> amr_variants();

struct AmrWorkload {
  Workload workload;
  int blocks = 0;        // of the mesh
  AmrAmounts amounts{};  // of one stage with sums, of all ranks
};

/// Requires: checked settings, a variant of amr_variants(). Errors: throws UserError for what is not written
/// down: stencil 0 or 27, --code, groups of variables, --permute.
AmrWorkload amr_workload(const amr::Settings& settings, const AmrCosts& costs);

}  // namespace heddle::simulate
