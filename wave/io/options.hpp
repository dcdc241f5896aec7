// The command line of heddle-wave.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  bool progress = false;
  bool quiet = false;
  std::vector<std::string> argv;
};

struct Parsed {
  Settings settings;
  std::optional<std::string> text;  // print this and run nothing
};

/// Errors: throws UserError for anything that cannot be run.
[[nodiscard]] Parsed parse_options(int argc, const char* const* argv);

/// Errors: throws UserError if a file that the run will write cannot be written. Leaves no new file behind.
void check_output_paths(const Settings& settings);

}  // namespace heddle::wave
