// What a run of heddle-wave is asked to do: every option of the command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "storage/schedule.hpp"
#include "wave/exec/models.hpp"
#include "wave/problem/catalogue.hpp"

namespace heddle::wave {

struct Settings {
  ProblemRequest problem;
  ModelRequest model;
  int threads = 0;  // 0: what the OpenMP runtime chooses
  int max_steps = kNoLimit;
  int drift_freq = 0;                  // integrals are looked at every so many steps; 0: at begin and end
  std::string results;                 // file; empty: none
  std::string samples;                 // file of a slice's values, for pictures; empty: none
  int plot_freq = 0;                   // a plotfile every so many steps; 0: none
  std::string plot_file = "plt";       // their names begin so
  std::vector<std::string> plot_vars;  // none: all
  storage::CheckpointRequest checkpoint;
  std::vector<std::pair<std::string, std::string>> problem_options;  // that were given, with their values
  bool progress = false;
  bool quiet = false;
  std::vector<std::string> argv;
};

}  // namespace heddle::wave
