// What OMP_DISPLAY_ENV and omp_display_env() print: OpenMP 5.2, sections 18.15 and 21.7.
#pragma once

#include <string>

#include "icv/values.hpp"

namespace heddle {

/// As the runtime of the program's own compiler writes it, for programs and scripts that read it: LLVM's
/// NAME='value', or libgomp's NAME = 'value' behind an empty line.
enum class DisplayStyle { kLlvm, kGnu };

/// The text, from the line that begins it to the one that ends it. is_verbose: our own variables as well.
std::string environment_text(const Settings& settings, bool is_verbose,
                             DisplayStyle style = DisplayStyle::kLlvm);

/// Prints it on standard error in one piece.
void display_environment(const Settings& settings, bool is_verbose, DisplayStyle style);

/// What finds the style that OMP_DISPLAY_ENV asks for; it is called where that variable is set.
void set_display_style(DisplayStyle (*find)());
DisplayStyle display_style();

}  // namespace heddle
