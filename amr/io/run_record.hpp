// What a run leaves behind: everything that results files and reports say.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "amr/halo/face_counts.hpp"
#include "amr/halo/traffic.hpp"
#include "amr/kernel/operation_counts.hpp"
#include "amr/refine/object.hpp"

namespace heddle::amr {

struct RefinementRecord {
  int timestep = 0;
  std::vector<int> blocks_per_level;
  int total_blocks = 0;
  long long cumulative_split = 0;
  long long cumulative_reformed = 0;
  std::uint64_t mesh_fingerprint = 0;
  std::vector<Object> objects;
};

struct TimestepRecord {
  int timestep = 0;
  double time_at_start = 0.0;
  double delta = 0.0;
};

/// The sums of one check stage, for the variables reached: all, unless a check failed.
struct CheckRecord {
  int timestep = 0;
  int stage = 0;
  std::vector<double> sum;
  std::vector<double> sumsq;
  std::vector<double> moment;
};

struct Counters {
  OperationCounts operations;
  long long checksums = 0;
  long long refinements = 0;
  long long redistributions = 0;
  long long blocks_over_stages = 0;
  long long stages = 0;
  int fewest_blocks = 0;  // over refinement results
  int most_blocks = 0;
  int peak_blocks = 0;  // transient, within a refinement; the most that any rank had
  long long split = 0;
  long long reformed = 0;
  double cell_updates = 0.0;
  long long balancings = 0;
  long long moved = 0;  // blocks, to other ranks
};

/// Wall times in seconds. The three phases are measured where they are separate in time: not in the task
/// variants.
struct Timings {
  double total = 0.0;
  double initialise = 0.0;
  double stages = 0.0;
  double exchange = 0.0;
  double stencil = 0.0;
  double checksum = 0.0;
  double refine = 0.0;
  double refine_initial = 0.0;
  double compare_objects = 0.0;
  double mark = 0.0;
  double split = 0.0;
  double merge = 0.0;
  double move = 0.0;     // of blocks, before a round
  double balance = 0.0;  // with its moves
  double plot = 0.0;
  double checkpoint = 0.0;
};

/// What one rank exchanged along one axis.
struct AxisRecord {
  FaceCounts faces;  // filled from blocks of this rank, or at the boundary
  Traffic traffic;

  AxisRecord& operator+=(const AxisRecord& other) {
    faces += other.faces;
    traffic += other.traffic;
    return *this;
  }
};

/// What one rank did.
struct RankRecord {
  Timings timings;
  std::array<AxisRecord, kAxes> axes{};
  RankPartners partners{};
  long long peak_blocks = 0;  // transient, within a refinement
  long long parents = 0;      // at the end: interior blocks whose first leaf is this rank's
  long long allocations = 0;
  long long allocated_bytes = 0;
};

struct RunRecord {
  std::vector<double> initial_sums;
  std::vector<RefinementRecord> refinements;
  std::vector<TimestepRecord> timesteps;
  std::vector<CheckRecord> checks;
  std::vector<std::string> mismatch_messages;
  std::vector<Object> initial_objects;
  std::vector<Object> final_objects;
  Counters counters;
  Timings timings;                // of this rank
  std::vector<RankRecord> ranks;  // all of them, on every rank, once the run has ended
  int threads = 1;
  bool phases_are_separate = true;
  bool failed = false;
  bool was_stopped = false;  // by a signal, after a checkpoint

  [[nodiscard]] double cell_updates_per_second() const {
    return timings.total > 0.0 ? counters.cell_updates / timings.total : 0.0;
  }
};

}  // namespace heddle::amr
