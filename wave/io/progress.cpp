#include "wave/io/progress.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace heddle::wave {
namespace {

constexpr double kTerminalEvery_s = 0.1;

}  // namespace

Progress::Progress(const Settings& settings, const Solver& solver, double end, int threads, bool is_shown)
    : solver_(solver),
      end_(end),
      threads_(threads),
      is_shown_(is_shown && !settings.quiet && (settings.progress || isatty(STDERR_FILENO) != 0)),
      is_terminal_(isatty(STDERR_FILENO) != 0),
      shown_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (has_line_) fmt::print(stderr, "\r\033[K");
}

void Progress::step_ended(const Step& step, double volumes) {
  if (!is_shown_) return;
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - shown_).count();
  if (is_terminal_ && has_line_ && seconds < kTerminalEvery_s) return;
  const std::string text = line(step, seconds, volumes);
  if (is_terminal_) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
    has_line_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  shown_ = now;
  shown_volumes_ = volumes;
  shown_busy_ = solver_.patch_seconds().sum();
}

std::string Progress::line(const Step& step, double seconds, double volumes) const {
  const std::vector<int> levels = solver_.patches_per_level();
  const double busy = (solver_.patch_seconds().sum() - shown_busy_) / (seconds * threads_);
  std::string text =
      fmt::format("step {} time {:.4g}/{:.4g} dt {:.2e}  patches {} = {}  {:.1f} M volumes/s  idle {:.0f} %",
                  step.number + 1, step.begin + step.length, end_, step.length,
                  std::accumulate(levels.begin(), levels.end(), 0), fmt::join(levels, "+"),
                  (volumes - shown_volumes_) / seconds / 1e6, 100.0 * std::clamp(1.0 - busy, 0.0, 1.0));
  if (drift_ >= 0.0) text += fmt::format("  drift {:.1e}", drift_);
  return text;
}

}  // namespace heddle::wave
