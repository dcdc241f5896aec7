// The catalogue's parts, one for each equation, so that each is compiled by itself.
#pragma once

#include <memory>

#include "wave/problem/initial_mesh.hpp"
#include "wave/problem/request.hpp"

namespace heddle::wave {

struct Family {
  std::vector<ProblemInfo> (*infos)();
  /// Requires: the name is one of infos().
  Prepared (*prepare)(const ProblemRequest& request, const Machine& machine);
  std::unique_ptr<InitialMesh> (*initial_mesh)(const ProblemRequest& request, int ranks);
};

[[nodiscard]] Family gas_family();
[[nodiscard]] Family acoustics_family();
[[nodiscard]] Family advection_family();
[[nodiscard]] Family shallow_water_family();

}  // namespace heddle::wave
