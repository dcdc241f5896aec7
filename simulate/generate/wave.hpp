// What heddle-wave does on any number of ranks, from its mesh alone: so many steps on the mesh that the
// problem begins with.
//
// Each model is written down as the engine executes it (wave/exec).
#pragma once

#include "simulate/generate/wave_costs.hpp"
#include "simulate/workload/workload.hpp"
#include "wave/io/settings.hpp"
#include "wave/problem/initial_mesh.hpp"

namespace heddle::simulate {

/// Errors: throws UserError for what is not written down: data-flow-graph, enclaves that an application holds
/// or polls for, runs without a number of steps, equations other than Euler's.
void check_wave(const wave::Settings& settings);

/// The name of its costs (WaveCosts::name()).
[[nodiscard]] std::string costs_of(const wave::Settings& settings);

/// threads: of a rank. Requires: check_wave(); the mesh is the problem's on as many ranks.
[[nodiscard]] Workload wave_workload(const wave::Settings& settings, const wave::InitialMesh& mesh, int ranks,
                                     int threads, const WaveCosts& costs);

}  // namespace heddle::simulate
