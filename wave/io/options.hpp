// The command line of heddle-wave.
#pragma once

#include <optional>
#include <string>

#include "wave/io/settings.hpp"

namespace heddle::wave {

struct Parsed {
  Settings settings;
  std::optional<std::string> text;  // print this and run nothing
};

/// Errors: throws UserError for anything that cannot be run.
[[nodiscard]] Parsed parse_options(int argc, const char* const* argv);

/// Errors: throws UserError if a file that the run will write cannot be written. Leaves no new file behind.
void check_output_paths(const Settings& settings);

}  // namespace heddle::wave
