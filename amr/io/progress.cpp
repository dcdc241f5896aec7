#include "amr/io/progress.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "amr/io/plot.hpp"

namespace heddle::amr {

ConsoleWatcher::ConsoleWatcher(const Settings& settings)
    : settings_(settings),
      shows_progress_(!settings.quiet && (settings.progress || isatty(STDERR_FILENO) != 0)),
      is_terminal_(isatty(STDERR_FILENO) != 0) {}

ConsoleWatcher::~ConsoleWatcher() {
  clear_line();
}

void ConsoleWatcher::clear_line() {
  if (has_line_) fmt::print(stderr, "\r\033[K");
  has_line_ = false;
}

void ConsoleWatcher::timestep_begins(const TimestepRecord& step) {
  if (!settings_.reports_on_console(kReportSteps)) return;
  clear_line();
  fmt::print("Timestep {} time {:.6f} delta {:.6f}\n", step.timestep, step.time_at_start, step.delta);
}

std::string progress_line(const Settings& settings, const RunRecord& so_far, const BlockTree& tree) {
  const Timings& t = so_far.timings;
  const std::size_t done = so_far.timesteps.size();
  std::string line = settings.time_given
                         ? fmt::format("step {} time {:.4g}/{:.4g}", done,
                                       so_far.timesteps.back().time_at_start, settings.end_time)
                         : fmt::format("step {}/{}", done, std::max(settings.num_tsteps, 1));
  line += fmt::format("  blocks {} = {}", tree.size(), fmt::join(tree.leaves_per_level(), "+"));
  if (settings.rank_count() > 1) {
    const std::vector<int> of_rank = tree.leaves_per_owner(settings.rank_count());
    const auto [least, most] = std::minmax_element(of_rank.begin(), of_rank.end());
    line += fmt::format(", {} to {} a rank", *least, *most);
  }
  line += fmt::format("  {:.1f} M updates/s", so_far.cell_updates_per_second() / 1e6);
  if (t.exchange + t.stencil > 0.0) {
    line +=
        fmt::format("  exchange {:.1f}s stencil {:.1f}s check {:.1f}s", t.exchange, t.stencil, t.checksum);
  } else {
    line += fmt::format("  stages {:.1f}s", t.stages);
  }
  return line + fmt::format(" refine {:.1f}s", t.refine);
}

void ConsoleWatcher::timestep_ends(const RunRecord& so_far, const BlockTree& tree) {
  if (!shows_progress_) return;
  const double now = so_far.timings.total;
  if (is_terminal_ && last_shown_ >= 0.0 && now - last_shown_ < 0.1) return;
  last_shown_ = now;
  const std::string line = progress_line(settings_, so_far, tree);
  if (is_terminal_) {
    fmt::print(stderr, "\r\033[K{}", line);
    std::fflush(stderr);
    has_line_ = true;
  } else {
    fmt::print(stderr, "{}\n", line);
  }
}

void ConsoleWatcher::refined(const RefinementRecord& r) {
  if (!settings_.reports_on_console(kReportSteps)) return;
  clear_line();
  for (std::size_t l = 0; l < r.blocks_per_level.size(); ++l) {
    fmt::print("Number of blocks at level {} at timestep {} is {}\n", l, r.timestep, r.blocks_per_level[l]);
  }
  fmt::print("Total number of blocks at timestep {} is {}\n\n", r.timestep, r.total_blocks);
}

void ConsoleWatcher::checked(int timestep, int v, double sum, double old) {
  if (!settings_.report_diffusion || settings_.quiet) return;
  clear_line();
  fmt::print("{} var {} sum {:.6f} old {:.6f} diff {:.6f} {:.6f} tol {:.6f}\n", timestep, v, sum, old,
             std::abs(sum - old), std::abs(sum - old) / old, std::pow(10.0, -settings_.error_tol));
}

void ConsoleWatcher::check_failed(const std::string& message) {
  clear_line();
  fmt::print(stderr, "{}\n", message);
}

void ConsoleWatcher::plot(const BlockTree& tree, int timestep) {
  write_plot(settings_, tree, timestep);
}

}  // namespace heddle::amr
