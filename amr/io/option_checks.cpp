#include <fmt/core.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>

#include "amr/field/octree.hpp"
#include "amr/io/options.hpp"
#include "amr/io/plot.hpp"
#include "program/user_error.hpp"
#include "program/whole_file.hpp"
#include "storage/plotfile.hpp"

namespace heddle::amr {
namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw program::UserError(fmt::format(format, std::forward<Args>(args)...));
}

/// An option whose value must not be less than its smallest.
struct Least {
  const char* option;
  int value;
  int least;
};

void check_ranges(const Settings& s) {
  for (int d = 0; d < kAxes; ++d) {
    const char axis = "xyz"[d];
    if (s.cells[d] < 1 || s.cells[d] % 2 != 0) {
      refuse("--n{} is {}, but a block needs an even, positive number of cells; give --n{} {}", axis,
             s.cells[d], axis, s.cells[d] < 1 ? 2 : s.cells[d] + 1LL);
    }
    if (s.cells[d] > 1024) refuse("--n{} is {}; blocks are at most 1024 cells long", axis, s.cells[d]);
    if (s.init[d] < 1) refuse("--init_{} is {}; give 1 or more", axis, s.init[d]);
    if (s.ranks[d] < 1) refuse("--np{} is {}; give 1 or more", axis, s.ranks[d]);
  }
  const Least least[] = {
      {"--max_blocks", s.max_blocks, 1},       {"--num_refine", s.num_refine, 0},
      {"--block_change", s.block_change, 0},   {"--num_vars", s.num_vars, 1},
      {"--comm_vars", s.comm_vars, 0},         {"--num_tsteps", s.num_tsteps, 0},
      {"--stages_per_ts", s.stages_per_ts, 0}, {"--checksum_freq", s.checksum_freq, 0},
      {"--inbalance", s.inbalance, 0},         {"--plot_freq", s.plot_freq, 0},
      {"--limit_move", s.limit_move, 0},       {"--threads", s.threads, 0},
      {"--task_vars", s.task_vars, 0},         {"--max_comm_tasks", s.max_comm_tasks, 0},
  };
  for (const Least& l : least) {
    if (l.value < l.least) refuse("{} is {}; give {} or more", l.option, l.value, l.least);
  }
  if (s.refine_freq < 1) {
    refuse(
        "--refine_freq is {}; give 1 or more (for a mesh that never changes, --num_refine 0 or "
        "--uniform_refine 1)",
        s.refine_freq);
  }
  const auto one_of = [](const char* option, int value, std::initializer_list<int> allowed) {
    for (const int a : allowed) {
      if (a == value) return;
    }
    refuse("{} is {}; give one of {}", option, value, fmt::join(allowed, ", "));
  };
  one_of("--uniform_refine", s.uniform_refine, {0, 1});
  one_of("--delay_checks", s.delay_checks, {0, 1});
  one_of("--stencil", s.stencil, {0, 7, 27});
  one_of("--code", s.code, {0, 1, 2});
  one_of("--lb_opt", s.lb_opt, {0, 1, 2});
  one_of("--reorder", s.reorder, {-1, 0, 1});
  if (s.report_perf < 0 || s.report_perf > 15)
    refuse("--report_perf is {}; give a sum of 1, 2, 4 and 8", s.report_perf);
  if (s.threads > 4096) refuse("--threads is {}; give 4096 or fewer", s.threads);
  if (s.limit_move > 100) refuse("--limit_move is {} percent; give 0 to 100", s.limit_move);
  if (s.stencil == 0 && s.num_vars < 8) refuse("--stencil 0 needs --num_vars 8 or more, not {}", s.num_vars);
  if (s.time_given && !(s.end_time >= 0.0)) refuse("--time is {}; give 0 or more", s.end_time);
  if (s.time_given && s.num_tsteps_given && s.num_tsteps == 0) {
    refuse("--time with --num_tsteps 0 has no step length; give --num_tsteps 1 or more, or leave it out");
  }
}

void check_ranks(const Settings& s, int started) {
  const long long ranks = 1LL * s.ranks[0] * s.ranks[1] * s.ranks[2];
  if (ranks != started) {
    refuse(
        "--npx x --npy x --npz is {} x {} x {} = {}, but {} rank{} started; make them equal "
        "(heddle amr --ranks N or mpiexec -n N starts N)",
        s.ranks[0], s.ranks[1], s.ranks[2], ranks, started, started == 1 ? " was" : "s were");
  }
}

void check_objects(const Settings& s) {
  for (std::size_t n = 0; n < s.objects.size(); ++n) {
    const Object& o = s.objects[n];
    if (find_object_type(o.type) == nullptr) {
      refuse(
          "--object {} has type {}, which does not exist; types are 0 to 15 and 20 to 25, see heddle-amr "
          "--help",
          n + 1, o.type);
    }
    if (o.bounce < 0 || o.bounce > 2) refuse("--object {} has bounce {}; give 0, 1 or 2", n + 1, o.bounce);
  }
}

void check_capacity(const Settings& s) {
  const auto roots = s.roots();
  const double root_blocks = 1.0 * roots[0] * roots[1] * roots[2];
  if (!Geometry::fits(roots, s.num_refine)) {
    refuse(
        "--num_refine {} on a {} x {} x {} mesh has more blocks than can be numbered; give a smaller "
        "--num_refine",
        s.num_refine, roots[0], roots[1], roots[2]);
  }
  if (!s.restart_roots && root_blocks / s.rank_count() > s.max_blocks) {
    refuse("--max_blocks {} is too small for the initial mesh: give --max_blocks {:.0f} or more",
           s.max_blocks, root_blocks / s.rank_count());
  }
  if (s.uniform_refine == 1 && s.num_refine > 0) {
    // The last round splits every block of the level above; a parent leaves only after its children came.
    const double needed = root_blocks / s.rank_count() * std::pow(8.0, s.num_refine) + 1.0;
    if (needed > s.max_blocks) {
      refuse(
          "--max_blocks {} is too small: --uniform_refine 1 with --num_refine {} needs {:.0f} blocks; give "
          "--max_blocks {:.0f}",
          s.max_blocks, s.num_refine, needed, needed);
    }
  }
}

}  // namespace

void check_settings(Settings& s, std::span<const VariantName> variants, int ranks) {
  check_ranges(s);
  check_ranks(s, ranks);
  check_objects(s);
  check_capacity(s);
  bool is_known = false;
  std::string names;
  for (const VariantName& v : variants) {
    is_known |= v.name == s.variant;
    names += (names.empty() ? "" : ", ") + std::string(v.name);
  }
  if (!s.plot_vars.empty() && s.plot_vars.back() >= s.num_vars)
    refuse("--plot_vars names variable {}, but --num_vars is {}: the last is {}", s.plot_vars.back(),
           s.num_vars, s.num_vars - 1);
  if (s.plot_vars.empty()) {
    for (int v = 0; v < s.num_vars; ++v) s.plot_vars.push_back(v);
  }
  if (!is_known) refuse("unknown variant '{}'; give one of {}", s.variant, names);
  if (s.block_change == 0) s.block_change = s.num_refine;
  if (s.comm_vars == 0 || s.comm_vars > s.num_vars) s.comm_vars = s.num_vars;
  if (s.reorder == -1) s.reorder = s.method == BalanceMethod::rcb ? 1 : 0;
}

void check_output_paths(const Settings& s) {
  if (!s.results.empty()) program::check_writable(s.results, "--results");
  if ((s.report_perf & kReportYaml) != 0) program::check_writable("results.yaml", "--report_perf 1:");
  if ((s.report_perf & kReportText) != 0) program::check_writable("results.txt", "--report_perf 2:");
  storage::check_output_path(s.checkpoint);
  if (s.plot_freq == 0) return;
  if (s.plot_format == PlotFormat::reference)
    program::check_writable(plot_file_name(0, s.num_tsteps), "--plot_freq:");
  else
    storage::PlotSeries(s.plot_file).check();
}

}  // namespace heddle::amr
