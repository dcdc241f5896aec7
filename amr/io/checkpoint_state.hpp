// What a checkpoint of heddle-amr has beside mesh and cells: the options that decide what is computed, how
// far the run is, and what it has recorded so far.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "amr/io/run_record.hpp"
#include "amr/io/settings.hpp"
#include "storage/plotfile.hpp"

namespace heddle::amr {

inline constexpr const char* kCheckpointProgram = "heddle-amr";

struct RunState {
  int timestep = 0;
  long long global_stage = 0;
  double time = 0.0;
  double delta = 0.0;  // of the next timestep
  std::vector<double> old_sums;
  std::vector<Object> objects;
  std::vector<storage::PlotSeries::Entry> plots;
  // Of the record: sums, refinements, timesteps, checks, first objects and the counters of the whole mesh.
  // Times, messages and memory are those of the process.
  RunRecord record;
};

[[nodiscard]] std::string to_text(const Settings& settings, const RunState& state);
/// Errors: throws UserError if the text is not to_text()'s. file: for the message.
[[nodiscard]] RunState run_state_of(const std::string& text, const std::string& file);

/// The run's own options come from the checkpoint; those that say how it is executed are the command line's.
/// is_given: whether the command line has that option. Errors: throws UserError if it has another value, or
/// the checkpoint cannot be read.
void take_from_checkpoint(Settings& settings, const std::function<bool(const std::string&)>& is_given);

}  // namespace heddle::amr
