// Plot files: the mesh at one moment, as text: a line with totals, then one line per block.
#pragma once

#include <string>

#include "amr/field/octree.hpp"
#include "amr/io/settings.hpp"

namespace heddle::amr {

/// plot. and the timestep with D+1 digits, D the smallest integer with 10^D >= num_tsteps.
[[nodiscard]] std::string plot_file_name(int timestep, int num_tsteps);
[[nodiscard]] std::string plot_text(const BlockTree& tree, int ranks = 1);
/// Errors: throws UserError if the file cannot be written.
void write_plot(const Settings& settings, const BlockTree& tree, int timestep);

}  // namespace heddle::amr
