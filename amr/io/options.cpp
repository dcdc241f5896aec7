#include "amr/io/options.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "program/user_error.hpp"

namespace heddle::amr {
namespace {

constexpr int kObjectValues = 14;
constexpr const char* kObjectMessage =
    "--object needs 14 values: type bounce, then x y z of centre, velocity, half-size and growth";

/// Number syntax is checked here, not by the parser library, so that messages say which option and what to
/// give.
template <class Number>
Number parse_number(const std::string& option, const std::string& text) {
  Number value{};
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  const bool is_whole = end == text.data() + text.size() && !text.empty();
  if (error == std::errc::result_out_of_range) {
    throw program::UserError(fmt::format("{} {} is out of range; give a smaller number", option, text));
  }
  bool is_number = error == std::errc() && is_whole;
  if constexpr (std::is_floating_point_v<Number>) is_number = is_number && std::isfinite(value);
  if (!is_number) {
    throw program::UserError(fmt::format("{} takes {}, not '{}'; see heddle-amr --help", option,
                                         std::is_integral_v<Number> ? "a whole number" : "a number", text));
  }
  return value;
}

Object parse_object(const std::vector<std::string>& values) {
  Object object;
  const auto real = [&](int n) {
    return parse_number<double>(fmt::format("value {} of --object", n + 1), values[n]);
  };
  object.type = parse_number<int>("value 1 (type) of --object", values[0]);
  object.bounce = parse_number<int>("value 2 (bounce) of --object", values[1]);
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

/// Registers options so that each value is checked as it is read and later occurrences win.
class OptionList {
 public:
  OptionList(CLI::App& app, Settings& settings) : app_(app), settings_(settings) {}

  void group(std::string name) { group_ = std::move(name); }

  CLI::Option* integer(const std::string& name, int& target, const std::string& help,
                       const std::string& value = "N") {
    return valued(name, help + fmt::format(" [{}]", target), value,
                  [name, &target](const std::string& text) { target = parse_number<int>(name, text); });
  }
  void three(const std::string& stem, std::array<int, 3>& target, const std::string& help) {
    for (int d = 0; d < kAxes; ++d) {
      integer(stem + "xyz"[d], target[d], d == 0 ? help : fmt::format("The same along {}", "xyz"[d]));
    }
  }
  CLI::Option* valued(const std::string& name, const std::string& help, const std::string& value,
                      std::function<void(const std::string&)> take) {
    auto* option = app_.add_option_function<std::string>(name, std::move(take), help);
    option->type_name(value)->group(group_)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    option->trigger_on_parse(false);
    return option;
  }
  void flag(const std::string& name, bool& target, const std::string& help) {
    app_.add_flag_callback(name, [&target] { target = true; }, help)->group(group_);
  }
  void method(const std::string& name, BalanceMethod method, const std::string& help) {
    app_.add_flag_callback(name, [this, method] { settings_.method = method; }, help)->group(group_);
  }

 private:
  CLI::App& app_;
  Settings& settings_;
  std::string group_;
};

struct ParseState {
  int num_objects = 0;
  std::vector<std::string> object_values;
};

void add_mesh_options(OptionList& options, Settings& s, ParseState& state, CLI::App& app) {
  options.group("Mesh");
  options.three("--n", s.cells, "Cells of a block along x; even");
  options.three("--init_", s.init, "Blocks of the initial mesh per rank along x");
  options.integer("--max_blocks", s.max_blocks, "Most blocks that a rank may hold");
  options.integer("--num_refine", s.num_refine, "Levels of refinement");
  options.integer("--block_change", s.block_change,
                  "Levels a block may change in a refinement; 0: as many as --num_refine");
  options.integer("--uniform_refine", s.uniform_refine,
                  "1: refine everything before the first timestep, then never", "0|1");
  options.integer("--refine_freq", s.refine_freq, "Refine after every N timesteps; at least 1");
  options.flag("--refine_ghost", s.refine_ghost,
               "Count ghost cells as part of a block when comparing with objects");
  options.integer("--num_objects", state.num_objects, "Number of objects; comes before any --object");
  app.add_option("--object", state.object_values, object_help())
      ->type_name("V*14")
      ->group("Mesh")
      ->type_size(kObjectValues)
      ->expected(0, 1 << 20)
      ->allow_extra_args(false);
}

void add_run_options(OptionList& options, Settings& s) {
  options.group("Time");
  options.integer("--num_tsteps", s.num_tsteps, "Timesteps; 0 runs one, as in the reference")
      ->each([&s](const std::string&) { s.num_tsteps_given = true; });
  options.valued("--time",
                 "Simulate this much time, each step moving objects by at most half a smallest cell", "T",
                 [&s](const std::string& text) {
                   s.end_time = parse_number<double>("--time", text);
                   s.time_given = true;
                 });
  options.integer("--stages_per_ts", s.stages_per_ts, "Stages (exchange and stencil) per timestep");

  options.group("Variables");
  options.integer("--num_vars", s.num_vars, "Variables per cell; at least 8 for stencil 0");
  options.integer("--comm_vars", s.comm_vars, "Variables exchanged together; 0: all");
  options.integer("--stencil", s.stencil, "7 or 27 points, or 0: a mixture with work that varies", "0|7|27");
  options.integer("--checksum_freq", s.checksum_freq,
                  "Check sums in stages 0, N, 2N of a timestep; 0: never");
  options.integer("--error_tol", s.error_tol, "A check fails beyond a relative difference of 10^-N");

  options.group("Exchange");
  options.integer("--code", s.code, "Ghosts exchanged: 0 what the stencil needs, 1 and 2 whole planes",
                  "0|1|2");
  options.flag("--permute", s.permute, "Change the order of directions from stage to stage");
  options.flag("--blocking_send", s.blocking_send, "Blocking sends; no effect on one rank");
  options.flag("--send_faces", s.send_faces, "One message per face; no effect on one rank");
  options.integer("--max_comm_tasks", s.max_comm_tasks,
                  "With --send_faces: at most N messages per direction and neighbour; 0: no limit");
  options.flag("--separate_buffers", s.separate_buffers,
               "data-flow: directions share no buffers, so that their messages do not wait for each other");
  options.integer("--delay_checks", s.delay_checks,
                  "data-flow: a check is validated when the next one is due [1], or at once [0]", "0|1");

  options.group("Ranks and balance (no effect on the mesh)");
  options.three("--np", s.ranks, "Ranks along x; the product is the number of ranks");
  options.integer("--reorder", s.reorder, "Order of ranks: 1 by bisection, 0 natural, -1 automatic",
                  "-1|0|1");
  options.integer("--lb_opt", s.lb_opt, "Balance load: 0 never, 1 after a refinement, 2 in every round too",
                  "0|1|2");
  options.integer("--inbalance", s.inbalance, "Balance when the imbalance exceeds N percent");
  options.method("--rcb", BalanceMethod::rcb, "Balance by recursive coordinate bisection (default)");
  options.method("--morton", BalanceMethod::morton, "Balance along a Morton curve");
  options.method("--hilbert", BalanceMethod::hilbert, "Balance along a Hilbert curve");
  options.method("--trunc_hilbert", BalanceMethod::trunc_hilbert, "Balance along a truncated Hilbert curve");
  options.flag("--change_dir", s.change_dir, "Bisect along the longest extent");
  options.flag("--group_blocks", s.group_blocks, "Keep the blocks of a cut, or octets of siblings, together");
  options.flag("--break_ties", s.break_ties, "Take the blocks of a cut in rank order");
  options.integer("--limit_move", s.limit_move, "Move at most N percent of a rank's blocks; 0: no limit");
}

void add_own_options(OptionList& options, Settings& s, std::span<const VariantName> variants) {
  options.group("Output");
  options.valued("--results", "Write the run's results as JSON when it has finished", "FILE",
                 [&s](const std::string& text) {
                   if (text.empty()) throw program::UserError("--results needs the name of a file");
                   s.results = text;
                 });
  options.integer("--report_perf", s.report_perf,
                  "Sum of: 1 results.yaml, 2 results.txt, 4 report, 8 mesh at each refinement");
  options.flag("--report_diffusion", s.report_diffusion, "Print a line per check");
  options.integer("--plot_freq", s.plot_freq,
                  "Write a plot file of the mesh at the start and every N timesteps; 0: none");
  options.flag("--progress", s.progress, "Show progress on stderr even if it is not a terminal");
  options.flag("--quiet", s.quiet, "Print nothing but errors");

  options.group("Execution");
  std::string help = fmt::format("How to run [{}]:", s.variant);
  for (const VariantName& v : variants) help += fmt::format("\n    {:<9} {}", v.name, v.description);
  options.valued("--variant", help, "NAME", [&s](const std::string& text) { s.variant = text; });
  options.integer("--threads", s.threads, "Threads; 0: what the OpenMP runtime chooses");
  options.valued(
      "--initial-values",
      "reference: a stream of numbers a rank; block: from each block's number, so that results do not "
      "depend on the ranks [reference]",
      "NAME", [&s](const std::string& text) {
        if (text != "reference" && text != "block")
          throw program::UserError(fmt::format("--initial-values {}: give reference or block", text));
        s.initial_values = text == "block" ? InitialValues::block : InitialValues::reference;
      });
  options.integer("--task_vars", s.task_vars,
                  "task variants: variables per task; 0: as many as fit half a second-level cache");
}

/// The library's message for a missing value, said for people.
std::string missing_value(const CLI::ParseError& error, int argc, const char* const* argv) {
  const std::string last = argc > 1 ? argv[argc - 1] : "";
  if (std::string(error.what()).find("--object") != std::string::npos) {
    return kObjectMessage;
  }
  return fmt::format("{} needs a value; see heddle-amr --help", last);
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

}  // namespace

Parsed parse_options(int argc, const char* const* argv, std::span<const VariantName> variants, int ranks) {
  Parsed parsed;
  Settings& s = parsed.settings;
  ParseState state;
  CLI::App app("heddle-amr: adaptive mesh refinement as miniAMR does it, run in several ways", "heddle-amr");
  app.set_help_flag("");
  bool wants_help = false;
  app.add_flag("-h,--help", wants_help, "Print this and stop")->group("General");
  OptionList options(app, s);
  add_mesh_options(options, s, state, app);
  add_run_options(options, s);
  add_own_options(options, s, variants);
  s.argv.assign(argv + std::min(argc, 1), argv + argc);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    const auto extras = app.remaining();
    const std::string first = extras.empty() ? "" : extras.front();
    throw program::UserError(fmt::format("unknown option '{}'; heddle-amr --help lists all options", first));
  } catch (const CLI::ArgumentMismatch& e) {
    throw program::UserError(missing_value(e, argc, argv));
  } catch (const CLI::ParseError& e) {
    std::string text = e.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    throw program::UserError(text + "; see heddle-amr --help");
  }
  if (wants_help) {
    parsed.text = app.help();
    return parsed;
  }
  check_object_order(app, state);
  for (std::size_t n = 0; n + kObjectValues <= state.object_values.size(); n += kObjectValues) {
    const auto begin = state.object_values.begin() + static_cast<std::ptrdiff_t>(n);
    s.objects.push_back(parse_object({begin, begin + kObjectValues}));
  }
  check_settings(s, variants, ranks);
  return parsed;
}

}  // namespace heddle::amr
