#include "wave/exec/classification.hpp"

#include <algorithm>

namespace heddle::wave {

std::vector<unsigned char> classify(const PatchGraph& graph, const std::vector<int>& begins) {
  std::vector<unsigned char> reasons(static_cast<std::size_t>(graph.patches()));
  for (std::size_t part = 0; part + 1 < begins.size(); ++part) {
    const int first = begins[part], last = begins[part + 1];
    for (int patch = first; patch < last; ++patch) {
      const Surroundings around = graph.surroundings(patch);
      const bool leaves_partition =
          std::any_of(around.neighbours.begin(), around.neighbours.end(),
                      [=](int neighbour) { return neighbour < first || neighbour >= last; });
      unsigned reason = 0;
      if (around.is_at_boundary) reason |= kAtBoundary;
      if (leaves_partition) reason |= kAtPartition;
      if (around.is_at_hanging_face) reason |= kAtHangingFace;
      if (!around.messages.empty()) reason |= kAtRank;
      reasons[static_cast<std::size_t>(patch)] = static_cast<unsigned char>(reason);
    }
  }
  return reasons;
}

}  // namespace heddle::wave
