// What OMP_DISPLAY_ENV and omp_display_env() print: OpenMP 5.2, sections 18.15 and 21.7.
#pragma once

#include <string>

#include "icv/settings/values.hpp"

namespace heddle {

/// The text, from the line that begins it to the one that ends it. is_verbose: our own variables as well.
std::string environment_text(const Settings& settings, bool is_verbose);

/// Prints it on standard error in one piece.
void display_environment(const Settings& settings, bool is_verbose);

}  // namespace heddle
