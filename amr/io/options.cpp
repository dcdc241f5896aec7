#include "amr/io/options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "amr/io/checkpoint_state.hpp"
#include "program/command_line.hpp"

namespace heddle::amr {
namespace {

constexpr int kObjectValues = 14;
constexpr int kMostVariables = 1 << 20;  // that a list may name
constexpr const char* kObjectMessage =
    "--object needs 14 values: type bounce, then x y z of centre, velocity, half-size and growth";

Object parse_object(const std::vector<std::string>& values) {
  Object object;
  const auto real = [&](int n) {
    return program::parse_number<double>(fmt::format("value {} of --object", n + 1), values[n]);
  };
  object.type = program::parse_number<int>("value 1 (type) of --object", values[0]);
  object.bounce = program::parse_number<int>("value 2 (bounce) of --object", values[1]);
  for (int d = 0; d < kAxes; ++d) {
    object.centre[d] = real(2 + d);
    object.move[d] = real(5 + d);
    object.size[d] = real(8 + d);
    object.inc[d] = real(11 + d);
  }
  return object;
}

std::string object_help() {
  std::string help =
      "One object: type, bounce, centre x y z, velocity x y z, half-size x y z, growth x y z; once for each "
      "of --num_objects. "
      "Bounce: 0 leaves the cube, 1 bounces off the walls, 2 as 0. Types:";
  for (const ObjectType& t : object_types()) help += fmt::format("\n    {:>2}  {}", t.type, t.name);
  return help;
}

void three(program::CommandLine& options, const std::string& stem, std::array<int, 3>& target,
           const std::string& help) {
  for (int d = 0; d < kAxes; ++d)
    options.number(stem + "xyz"[d], target[d], d == 0 ? help : fmt::format("The same along {}", "xyz"[d]));
}

struct ParseState {
  int num_objects = 0;
  std::vector<std::string> object_values;
};

void add_mesh_options(program::CommandLine& options, Settings& s, ParseState& state) {
  options.group("Mesh");
  three(options, "--n", s.cells, "Cells of a block along x; even");
  three(options, "--init_", s.init, "Blocks of the initial mesh per rank along x");
  options.number("--max_blocks", s.max_blocks, "Most blocks that a rank may hold");
  options.number("--num_refine", s.num_refine, "Levels of refinement");
  options.number("--block_change", s.block_change,
                 "Levels a block may change in a refinement; 0: as many as --num_refine");
  options.number("--uniform_refine", s.uniform_refine,
                 "1: refine everything before the first timestep, then never", "0|1");
  options.number("--refine_freq", s.refine_freq, "Refine after every N timesteps; at least 1");
  options.flag("--refine_ghost", s.refine_ghost,
               "Count ghost cells as part of a block when comparing with objects");
  options.number("--num_objects", state.num_objects, "Number of objects; comes before any --object");
  options.app()
      .add_option("--object", state.object_values, object_help())
      ->type_name("V*14")
      ->group("Mesh")
      ->type_size(kObjectValues)
      ->expected(0, 1 << 20)
      ->allow_extra_args(false);
}

void add_run_options(program::CommandLine& options, Settings& s) {
  options.group("Time");
  options.number("--num_tsteps", s.num_tsteps, "Timesteps; 0 runs one, as in the reference")
      ->each([&s](const std::string&) { s.num_tsteps_given = true; });
  options.valued("--time",
                 "Simulate this much time, each step moving objects by at most half a smallest cell", "T",
                 [&s](const std::string& text) {
                   s.end_time = program::parse_number<double>("--time", text);
                   s.time_given = true;
                 });
  options.number("--stages_per_ts", s.stages_per_ts, "Stages (exchange and stencil) per timestep");

  options.group("Variables");
  options.number("--num_vars", s.num_vars, "Variables per cell; at least 8 for stencil 0");
  options.number("--comm_vars", s.comm_vars, "Variables exchanged together; 0: all");
  options.number("--stencil", s.stencil, "7 or 27 points, or 0: a mixture with work that varies", "0|7|27");
  options.number("--checksum_freq", s.checksum_freq, "Check sums in stages 0, N, 2N of a timestep; 0: never");
  options.number("--error_tol", s.error_tol, "A check fails beyond a relative difference of 10^-N");

  options.group("Exchange");
  options.number("--code", s.code, "Ghosts exchanged: 0 what the stencil needs, 1 and 2 whole planes",
                 "0|1|2");
  options.flag("--permute", s.permute, "Change the order of directions from stage to stage");
  options.flag("--blocking_send", s.blocking_send, "Blocking sends; no effect on one rank");
  options.flag("--send_faces", s.send_faces, "One message per face; no effect on one rank");
  options.number("--max_comm_tasks", s.max_comm_tasks,
                 "With --send_faces: at most N messages per direction and neighbour; 0: no limit");
  options.flag("--separate_buffers", s.separate_buffers,
               "data-flow: directions share no buffers, so that their messages do not wait for each other");
  options.number("--delay_checks", s.delay_checks,
                 "data-flow, graphs: checks are validated at the next one or later [1], or at once [0]",
                 "0|1");

  options.group("Ranks and balance (no effect on the mesh)");
  three(options, "--np", s.ranks, "Ranks along x; the product is the number of ranks");
  options.number("--reorder", s.reorder, "Order of ranks: 1 by bisection, 0 natural, -1 automatic", "-1|0|1");
  options.number("--lb_opt", s.lb_opt, "Balance load: 0 never, 1 after a refinement, 2 in every round too",
                 "0|1|2");
  options.number("--inbalance", s.inbalance, "Balance when the imbalance exceeds N percent");
  const auto method = [&](const char* name, BalanceMethod value, const char* help) {
    options.app()
        .add_flag_callback(
            name, [&s, value] { s.method = value; }, help)
        ->group("Ranks and balance (no effect on the mesh)");
  };
  method("--rcb", BalanceMethod::rcb, "Balance by recursive coordinate bisection (default)");
  method("--morton", BalanceMethod::morton, "Balance along a Morton curve");
  method("--hilbert", BalanceMethod::hilbert, "Balance along a Hilbert curve");
  method("--trunc_hilbert", BalanceMethod::trunc_hilbert, "Balance along a truncated Hilbert curve");
  options.flag("--change_dir", s.change_dir, "Bisect along the longest extent");
  options.flag("--group_blocks", s.group_blocks, "Keep the blocks of a cut, or octets of siblings, together");
  options.flag("--break_ties", s.break_ties, "Take the blocks of a cut in rank order");
  options.number("--limit_move", s.limit_move, "Move at most N percent of a rank's blocks; 0: no limit");
}

/// Numbers and ranges of them with commas between, as in 0,3,8-11: sorted, each once.
std::vector<int> parse_ranges(const std::string& option, const std::string& text) {
  std::vector<int> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const std::size_t dash = part.find('-', 1);
    const int first = program::parse_number<int>(option, part.substr(0, dash));
    const int last =
        dash == std::string::npos ? first : program::parse_number<int>(option, part.substr(dash + 1));
    if (first < 0 || last < first || last > kMostVariables)
      throw program::UserError(fmt::format("{} {}: give numbers of variables, as in 0,3,8-11", option, text));
    for (int n = first; n <= last; ++n) numbers.push_back(n);
    begin = end + 1;
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void add_own_options(program::CommandLine& options, Settings& s, std::span<const VariantName> variants) {
  options.group("Output");
  options.file("--results", s.results, "Write the run's results as JSON when it has finished");
  options.number("--report_perf", s.report_perf,
                 "Sum of: 1 results.yaml, 2 results.txt, 4 report, 8 mesh at each refinement");
  options.flag("--report_diffusion", s.report_diffusion, "Print a line per check");
  options.number("--plot_freq", s.plot_freq,
                 "Write a plot file of the mesh at the start and every N timesteps; 0: none");
  options.choice<PlotFormat, 2>(
      "--plot_format", s.plot_format, {{{"reference", PlotFormat::reference}, {"amrex", PlotFormat::amrex}}},
      "reference: the mesh as the reference's text; amrex: folders with the cells' values, which yt "
      "and ParaView open");
  options.valued("--plot_file", fmt::format("amrex: their names begin so [{}]", s.plot_file), "PREFIX",
                 [&s](const std::string& text) {
                   if (text.empty()) throw program::UserError("--plot_file needs the begin of a name");
                   s.plot_file = text;
                 });
  options.valued("--plot_vars", "amrex: variables, as in 0,3,8-11 [all]", "LIST",
                 [&s](const std::string& text) { s.plot_vars = parse_ranges("--plot_vars", text); });
  storage::add_options(
      options, s.checkpoint,
      "Go on from this checkpoint, on any ranks and threads in any variant; options that decide what "
      "is computed are its own");
  options.flag("--progress", s.progress, "Show progress on stderr even if it is not a terminal");
  options.flag("--quiet", s.quiet, "Print nothing but errors");

  options.group("Execution");
  std::string help = fmt::format("How to run [{}]:", s.variant);
  for (const VariantName& v : variants) help += fmt::format("\n    {:<15}  {}", v.name, v.description);
  options.valued("--variant", help, "NAME", [&s](const std::string& text) { s.variant = text; });
  options.number("--threads", s.threads, "Threads; 0: what the OpenMP runtime chooses");
  options.choice<InitialValues, 2>(
      "--initial-values", s.initial_values,
      {{{"reference", InitialValues::reference}, {"block", InitialValues::block}}},
      "reference: a stream of numbers a rank; block: from each block's number, so that results do not "
      "depend on the ranks");
  options.choice<Halo, 2>(
      "--halo", s.halo, {{{"faces", Halo::faces}, {"ghosts", Halo::ghosts}}},
      "what stencils read around a block: faces: its neighbours', where they are (stencil 7 and code 0, one "
      "array per block); ghosts: always copies, which an exchange makes before");
  options.number(
      "--task_vars", s.task_vars,
      "task variants: variables per task; 0: all, or with ghosts as many as fit half a second-level cache");
}

void check_object_order(const CLI::App& app, const ParseState& state) {
  bool is_announced = false;
  for (const CLI::Option* option : app.parse_order()) {
    is_announced |= option->get_name() == "--num_objects";
    if (option->get_name() == "--object" && !is_announced)
      throw program::UserError("--object comes before --num_objects; give --num_objects first");
  }
  if (state.object_values.size() % kObjectValues != 0) throw program::UserError(kObjectMessage);
  const int objects = static_cast<int>(state.object_values.size()) / kObjectValues;
  if (objects != state.num_objects) {
    throw program::UserError(fmt::format("--num_objects is {}, but {} --object {} given; make them equal",
                                         state.num_objects, objects, objects == 1 ? "was" : "were"));
  }
}

// The reference's options keep their meaning, or have none.
void check_effects(const program::CommandLine& options, const Settings& s) {
  storage::check(options, s.checkpoint);
  options.expect_effect("--plot_format", s.plot_freq != 0, "--plot_freq");
  for (const char* const option : {"--plot_file", "--plot_vars"})
    options.expect_effect(option, s.plot_freq != 0 && s.plot_format == PlotFormat::amrex,
                          "--plot_freq and --plot_format amrex");
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv, std::span<const VariantName> variants, int ranks) {
  Parsed parsed;
  Settings& s = parsed.settings;
  ParseState state;
  program::CommandLine options(
      "heddle-amr", "heddle-amr: adaptive mesh refinement as miniAMR does it, run in several ways");
  add_mesh_options(options, s, state);
  add_run_options(options, s);
  add_own_options(options, s, variants);
  s.argv.assign(argv + std::min(argc, 1), argv + argc);
  parsed.text = options.parse(argc, argv, {"--object", kObjectMessage});
  if (parsed.text) return parsed;
  check_object_order(options.app(), state);
  check_effects(options, s);
  for (std::size_t n = 0; n + kObjectValues <= state.object_values.size(); n += kObjectValues) {
    const auto begin = state.object_values.begin() + static_cast<std::ptrdiff_t>(n);
    s.objects.push_back(parse_object({begin, begin + kObjectValues}));
  }
  if (!s.checkpoint.restart.empty()) {
    take_from_checkpoint(
        s, [&](const std::string& option) { return options.app().get_option(option)->count() > 0; });
  }
  check_settings(s, variants, ranks);
  return parsed;
}

}  // namespace heddle::amr
