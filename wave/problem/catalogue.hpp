// Problems by name.
#pragma once

#include <memory>
#include <vector>

#include "wave/problem/initial_mesh.hpp"
#include "wave/problem/request.hpp"

namespace heddle::wave {

/// All there are, in the order in which help lists them.
[[nodiscard]] std::vector<ProblemInfo> problems();

/// Collective. Errors: throws UserError for what cannot be run.
[[nodiscard]] Prepared prepare(const ProblemRequest& request, const Machine& machine);

/// What prepare() would make on so many ranks, without volumes. Errors: as there.
[[nodiscard]] std::unique_ptr<InitialMesh> initial_mesh(const ProblemRequest& request, int ranks);

}  // namespace heddle::wave
