// The checkpoints of a run: what they have beside mesh and volumes, and when they are written.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "storage/plotfile.hpp"
#include "storage/schedule.hpp"
#include "wave/exec/solver.hpp"
#include "wave/io/run_record.hpp"
#include "wave/io/settings.hpp"

namespace heddle::wave {

/// What the run that wrote it was given of problem and mesh: options and their values.
/// Errors: throws UserError, as all here.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> problem_options_of(const std::string& file);

class Checkpoints {
 public:
  /// steps: that the run begins after.
  Checkpoints(const Settings& settings, Solver& solver, exchange::Communicator& ranks, int steps)
      : settings_(settings), solver_(solver), ranks_(ranks), schedule_(settings.checkpoint, ranks, steps) {}

  /// After steps: writes one if it is due. Returns whether the run has to end. Collective.
  bool after(const RunRecord& record, const std::vector<storage::PlotSeries::Entry>& plots);
  /// No more steps than these before after() is called again.
  [[nodiscard]] int most_steps(int steps) const;

 private:
  const Settings& settings_;
  Solver& solver_;
  exchange::Communicator& ranks_;
  storage::CheckpointSchedule schedule_;
  int steps_a_second_ = 1;
};

/// Solver and record go on from --restart. Returns the plotfiles so far. Collective.
std::vector<storage::PlotSeries::Entry> restore(const Settings& settings, Solver& solver, RunRecord& record);

}  // namespace heddle::wave
