#include "simulate/generate/wave.hpp"

#include <algorithm>

#include "program/user_error.hpp"
#include "simulate/generate/wave_rank.hpp"
#include "wave/problem/catalogue.hpp"

namespace heddle::simulate {

void check_wave(const wave::Settings& settings) {
  const auto refuse = [](const std::string& what, const char* instead) {
    throw program::UserError(what + " cannot be generated; " + instead);
  };
  const wave::ModelRequest& model = settings.model;
  if (model.name == "data-flow-graph") refuse("--exec data-flow-graph", "give data-flow, or trace a run");
  if (model.name == "enclave") {
    if (model.strategy.hold_limit > 0)
      refuse("a --strategy that holds patches", "give native or in-runtime, or trace a run");
    // Also where none is given: the program's choice depends on its runtime.
    if (model.wait != wave::EnclaveWait::dependence)
      refuse("another --wait than dependence", "give it, or trace a run");
  }
  if (settings.max_steps == wave::kNoLimit)
    refuse("a run until a time", "say by --max_steps how many steps there are");
  const std::vector<wave::ProblemInfo> all = wave::problems();
  const auto found = std::find_if(all.begin(), all.end(), [&](const wave::ProblemInfo& info) {
    return info.name == settings.problem.name;
  });
  if (found != all.end() && found->equation != "Euler")
    refuse("--problem " + settings.problem.name,
           "costs are those of the Euler equations; give one of theirs");
}

std::string costs_of(const wave::Settings& settings) {
  return WaveCosts::name(settings.problem.scheme == wave::Scheme::muscl_hancock, settings.problem.dim);
}

Workload wave_workload(const wave::Settings& settings, const wave::InitialMesh& mesh, int ranks, int threads,
                       const WaveCosts& costs) {
  Workload result{"heddle-wave " + settings.model.name, 1, wave_kinds(), {}};
  result.processes.resize(static_cast<std::size_t>(ranks));
  int number = 0;
  for (ProcessText& text : result.processes) {
    const WaveRank rank(mesh, number++, ranks, costs, text);
    if (settings.model.name == "data-flow")
      write_data_flow(rank, settings.max_steps, text);
    else
      write_step_by_step(rank, settings.model, threads, settings.max_steps, text);
  }
  return result;
}

}  // namespace heddle::simulate
