#include "wave/io/plots.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "program/fail_together.hpp"
#include "program/user_error.hpp"
#include "wave/exec/partitions.hpp"

namespace heddle::wave {

Plots::Plots(const Settings& settings, Solver& solver, exchange::Communicator& ranks)
    : settings_(settings), solver_(solver), ranks_(ranks), series_(settings.plot_file) {
  const std::string limits = settings.plot_freq > 0 ? solver.expect_plotfiles() : "";
  const std::vector<std::string> known = solver.plot_names();
  names_ = settings.plot_vars.empty() ? known : settings.plot_vars;
  for (const std::string& name : names_) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw program::UserError(
          fmt::format("--plot_vars {}: this problem has {}", name, fmt::join(known, ", ")));
  }
  if (!limits.empty() && !settings.quiet && ranks.rank() == 0)
    fmt::print(stderr, "heddle-wave: {}\n", limits);
}

void Plots::add(const std::vector<storage::PlotSeries::Entry>& earlier) {
  for (const auto& entry : earlier) series_.add(entry);
}

void Plots::write(int steps) {
  if (settings_.plot_freq == 0 || (!entries().empty() && entries().back().step == steps)) return;
  const int patches = solver_.patches_per_rank()[static_cast<std::size_t>(ranks_.rank())];
  series_.add({steps, solver_.time()});
  solver_.write_plotfile(series_.path_of(steps), names_,
                         cut_patches(patches, settings_.model.partitions, settings_.model.cut));
  program::fail_together(ranks_, [&] {
    if (ranks_.rank() == 0) series_.write();
  });
}

}  // namespace heddle::wave
