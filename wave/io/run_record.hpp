// What a run leaves behind: everything that results files and progress lines say.
#pragma once

#include <cstdint>
#include <vector>

#include "wave/exec/solver.hpp"

namespace heddle::wave {

struct RunRecord {
  int threads = 1;  // of each rank
  int ranks = 1;
  int steps = 0;
  double time = 0.0;
  double wall_seconds = 0.0;     // of the steps, regridding included
  double prepare_seconds = 0.0;  // of the first mesh and state
  PatchSeconds patch_seconds;    // all threads of all ranks together
  double regrid_seconds = 0.0;
  int mesh_changes = 0;
  double volume_updates = 0.0;
  std::vector<int> patches_per_level;
  std::vector<int> patches_per_rank;
  double volumes_per_patch = 0.0;
  bool was_stopped = false;  // by a signal, after a checkpoint
  bool is_closed = false;    // nothing enters or leaves the domain
  std::vector<Named> conserved_at_begin, conserved_at_end;
  std::vector<Named> l1;
  std::vector<Count> counts;
  std::uint64_t state_fingerprint = 0, mesh_fingerprint = 0;
  std::vector<double> step_lengths;

  /// Of the time of all threads of all ranks.
  [[nodiscard]] double busy_share() const {
    const double all = wall_seconds * threads * ranks;
    return all > 0.0 ? patch_seconds.sum() / all : 0.0;
  }
};

}  // namespace heddle::wave
