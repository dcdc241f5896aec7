// Problems by name.
#pragma once

#include <vector>

#include "wave/problem/request.hpp"

namespace heddle::wave {

/// All there are, in the order in which help lists them.
[[nodiscard]] std::vector<ProblemInfo> problems();

/// Collective. Errors: throws UserError for what cannot be run.
[[nodiscard]] Prepared prepare(const ProblemRequest& request, const Machine& machine);

}  // namespace heddle::wave
