// Ranks agree on a refinement: marks go between those that touch, one message each way to every partner, and
// plans to all.
#pragma once

#include <algorithm>

#include "exchange/communicator.hpp"
#include "mesh/balance.hpp"

namespace heddle::exchange {

/// For mesh::balance(). Requires: part and communicator stay as long as what is returned.
template <int D, int R>
[[nodiscard]] mesh::ShareMarks share_marks(const mesh::Part<D, R>& part, Communicator& ranks);

/// What all ranks' plans do together, in leaf order. Collective.
[[nodiscard]] inline mesh::RefinementPlan gather_plan(const mesh::RefinementPlan& mine, Communicator& ranks) {
  mesh::RefinementPlan whole{ranks.gather(mine.splits), ranks.gather(mine.merges)};
  std::sort(whole.splits.begin(), whole.splits.end());
  std::sort(whole.merges.begin(), whole.merges.end());
  return whole;
}

}  // namespace heddle::exchange
