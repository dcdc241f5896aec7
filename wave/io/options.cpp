#include "wave/io/options.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "program/command_line.hpp"
#include "program/whole_file.hpp"
#include "storage/plotfile.hpp"
#include "wave/io/checkpoints.hpp"
#include "wave/io/words.hpp"

namespace heddle::wave {
namespace {

using program::CommandLine;
using program::UserError;

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw UserError(fmt::format(format, std::forward<Args>(args)...));
}

/// What stands between commas.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Numbers with commas between, of the option's value.
template <class Number>
std::vector<Number> parse_list(const std::string& option, const std::string& text) {
  std::vector<Number> numbers;
  for (const std::string& part : split(text)) numbers.push_back(program::parse_number<Number>(option, part));
  return numbers;
}

std::array<double, 3> parse_three(const std::string& option, const std::string& text, const char* what) {
  const std::vector<double> numbers = parse_list<double>(option, text);
  if (numbers.size() != 3)
    refuse("{} takes {}, three numbers with commas between, not '{}'", option, what, text);
  return {numbers[0], numbers[1], numbers[2]};
}

/// A word of a small table.
template <class Value, std::size_t N>
Value parse_word(const std::string& option, const std::string& text, const Words<Value, N>& words) {
  std::vector<const char*> names;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    names.push_back(word);
  }
  refuse("{} {} does not exist; give {}", option, text, fmt::join(names, " or "));
}

std::optional<GasState> parse_gas(const std::string& option, const std::string& text) {
  const auto [density, velocity, pressure] = parse_three(option, text, "density, velocity and pressure");
  if (!(density > 0.0 && pressure > 0.0)) refuse("{} {}: give a positive density and pressure", option, text);
  return GasState{density, velocity, pressure};
}

void add_problem_options(CommandLine& options, ProblemRequest& request) {
  options.group("Problem");
  std::string help = fmt::format("What to compute [{}]:", request.name);
  for (const ProblemInfo& info : problems())
    help += fmt::format("\n    {:<18} {}: {}", info.name, info.equation, info.description);
  options.valued("--problem", help, "NAME", [&](const std::string& text) { request.name = text; });
  options.number("--dim", request.dim, "Dimensions", "2|3");
  options.number("--time", request.end, "Simulate this much time; 0: as long as suits the problem", "T");
  options.valued("--left", "riemann: density,velocity,pressure on the left", "A,B,C",
                 [&](const std::string& text) { request.left = parse_gas("--left", text); });
  options.valued("--right", "The same on the right", "A,B,C",
                 [&](const std::string& text) { request.right = parse_gas("--right", text); });
  options.number("--gamma", request.gamma, "Ratio of specific heats; 0: the problem's own", "G");
  options.valued(
      "--scheme", "First order (rusanov), or second order where the flow is smooth (muscl-hancock) [rusanov]",
      "NAME", [&](const std::string& text) { request.scheme = parse_word("--scheme", text, kSchemes); });
  options.valued(
      "--limiter",
      "muscl-hancock: how steep volumes may be: minmod, mc (monotonized-central), or none, for smooth "
      "flows alone [mc]",
      "NAME", [&](const std::string& text) { request.limiter = parse_word("--limiter", text, kLimiters); });
  options.number("--cfl", request.cfl, "CFL number; stable up to 1 / dimensions; 0: 0.9 / dimensions", "C");

  options.group("Mesh");
  options.number("--ratio", request.ratio,
                 "A patch is refined into so many along each axis: 3 along Peano's "
                 "curve, 2 along Morton's",
                 "2|3");
  options.number("--volumes", request.volumes,
                 "Volumes of a patch along each axis; 0: 63 in 2-D, in 3-D 15 with "
                 "ratio 3 and 16 with ratio 2");
  options.valued("--roots", "Patches of level 0 along each axis; by default as the problem needs", "N,N",
                 [&](const std::string& text) { request.roots = parse_list<int>("--roots", text); });
  options.number("--base_level", request.base_level, "Coarsest level of the mesh; -1: 1");
  options.number("--max_level", request.max_level, "Finest level; -1: 2 for ratio 3, 3 for ratio 2");
  options.number("--regrid_freq", request.regrid_freq, "Adapt the mesh every N steps; 0: never; -1: 4");
  options.valued(
      "--criterion",
      "What is refined: where density jumps (jump), a ball that moves (ball), nothing after the start "
      "(fixed); by "
      "default as suits the problem",
      "NAME",
      [&](const std::string& text) { request.criterion = parse_word("--criterion", text, kCriteria); });
  const auto of_jump = [&](const char* name, double& target, const char* help) {
    options.number(name, target, help, "X")->each([&request, name](const std::string&) {
      request.jump_option = name;
    });
  };
  of_jump("--refine_above", request.refine_above,
          "jump: refine a patch where the relative jump exceeds this");
  of_jump("--coarsen_below", request.coarsen_below, "jump: join patches where all jumps are below this");
  options.valued("--ball", "Centre, velocity and radius of the ball, in lengths of the domain", "C,V,R",
                 [&](const std::string& text) {
                   const auto [centre, velocity, radius] =
                       parse_three("--ball", text, "centre, velocity and radius");
                   request.ball = Ball{centre, velocity, radius};
                 });
  options.valued(
      "--hanging_flux",
      "Through faces between levels: the sum of what goes through the fine faces (fine), or what the "
      "fine volumes' mean gives, which loses mass (mean) [fine]",
      "NAME",
      [&](const std::string& text) { request.hanging = parse_word("--hanging_flux", text, kHangingFluxes); });
}

void add_model_options(CommandLine& options, ModelRequest& request, int& threads) {
  options.group("Execution");
  std::string help = fmt::format("How to execute a step [{}]:", request.name);
  for (const ModelInfo& model : models())
    help += fmt::format("\n    {:<16} {}", model.name, model.description);
  options.valued("--exec", help, "NAME", [&](const std::string& text) { request.name = text; });
  options.number("--threads", threads, "Threads; 0: what the OpenMP runtime chooses");
  help = fmt::format(
      "enclave: what becomes of an enclave patch [{}]; a name or hold=N,fuse=LEAST-MOST,when=WORD+WORD:",
      name_of(request.strategy));
  for (const NamedStrategy& row : strategies())
    help += fmt::format("\n    {} ({})\n        {}", row.name, to_text(row.strategy), row.description);
  options.valued("--strategy", help, "NAME", [&](const std::string& text) {
    request.strategy = parse_strategy(text);
    request.enclave_option = "--strategy";
  });
  options.valued(
      "--wait",
      "enclave: how the secondary traversal waits: it looks and yields (poll), begins when all is done "
      "(dependence), suspends (event); by default event with in-runtime, else poll",
      "NAME", [&](const std::string& text) {
        request.enclave_option = "--wait";
        request.wait = parse_word("--wait", text, kWaits);
      });
  options.valued("--queue",
                 "enclave: held patches stand in one queue (central) or one a thread (local) [central]",
                 "NAME", [&](const std::string& text) {
                   request.enclave_option = "--queue";
                   request.queue = parse_word("--queue", text, kQueues);
                 });
  options.valued("--partitions", "bsp, enclave: parts of the curve; 0: one a thread [0]", "N",
                 [&](const std::string& text) {
                   request.partition_option = "--partitions";
                   request.partitions = program::parse_number<int>("--partitions", text);
                 });
  options.valued("--cut",
                 "bsp, enclave: partitions of equal size (well), or half of what is left each (ill) [well]",
                 "NAME", [&](const std::string& text) {
                   request.partition_option = "--cut";
                   request.cut = parse_word("--cut", text, kCuts);
                 });
}

void add_output_options(CommandLine& options, Settings& s) {
  options.group("Output");
  options.file("--results", s.results, "Write the run's results as JSON when it has finished");
  options.file("--samples", s.samples, "Write the final values of unknown 0 in a plane, for pictures (CSV)");
  options.number(
      "--plot_freq", s.plot_freq,
      "Write a plotfile of AMReX's at the start, every N steps and at the end, which yt and ParaView "
      "open; 0: none");
  options.valued("--plot_file", fmt::format("Plotfiles' names begin so [{}]", s.plot_file), "PREFIX",
                 [&s](const std::string& text) {
                   if (text.empty()) throw UserError("--plot_file needs the begin of a name");
                   s.plot_file = text;
                 });
  options.valued("--plot_vars", "What plotfiles show: names of unknowns and primitive variables [all]", "A,B",
                 [&s](const std::string& text) { s.plot_vars = split(text); });
  options.valued("--max_steps", "No more steps than this", "N", [&s](const std::string& text) {
    s.max_steps = program::parse_number<int>("--max_steps", text);
  });
  options.number("--drift_freq", s.drift_freq,
                 "With progress, where nothing leaves the domain: look at conserved integrals every N steps; "
                 "0: at begin and end alone");
  storage::add_options(
      options, s.checkpoint,
      "Go on from this checkpoint, on any ranks and threads in any --exec; problem and mesh are its own");
  options.flag("--progress", s.progress, "Show progress on stderr even if it is not a terminal");
  options.flag("--quiet", s.quiet, "Print nothing but errors");
}

constexpr int kMostPartitions = 1 << 20;

void check(const Settings& s) {
  const ProblemRequest& p = s.problem;
  const auto one_of = [](const char* option, int value) {
    if (value != 2 && value != 3) refuse("{} is {}; give 2 or 3", option, value);
  };
  one_of("--dim", p.dim);
  one_of("--ratio", p.ratio);
  if (p.volumes != 0 && (p.volumes < 3 || p.volumes > 128))
    refuse("--volumes is {}; patches have 3 to 128 volumes along an axis", p.volumes);
  for (const int n : p.roots) {
    if (n < 1 || n > 1024) refuse("--roots has {}; give 1 to 1024 along each axis", n);
  }
  for (const auto& [option, level] :
       {std::pair("--base_level", p.base_level), {"--max_level", p.max_level}}) {
    if (level < -1 || level > 20) refuse("{} is {}; give 0 to 20, or -1", option, level);
  }
  if (p.regrid_freq < -1) refuse("--regrid_freq is {}; give 0 or more, or -1", p.regrid_freq);
  if (!(p.end >= 0.0)) refuse("--time is {}; give more than 0", p.end);
  if (!(p.cfl >= 0.0 && p.cfl <= 1.0)) refuse("--cfl is {}; give more than 0 and at most 1", p.cfl);
  if (p.gamma != 0.0 && !(p.gamma > 1.0)) refuse("--gamma is {}; give more than 1", p.gamma);
  if (!(p.coarsen_below >= 0.0 && p.coarsen_below < p.refine_above))
    refuse("--coarsen_below {} is not below --refine_above {}", p.coarsen_below, p.refine_above);
  if (p.ball && p.criterion && *p.criterion != CriterionKind::ball)
    refuse("--ball is for --criterion ball; leave out one of the two");
  if (p.ball && !(p.ball->radius > 0.0)) refuse("--ball has radius {}; give more than 0", p.ball->radius);
  if (p.limiter && p.scheme != Scheme::muscl_hancock)
    refuse("--limiter is an option of --scheme muscl-hancock, not of {}", word_of(kSchemes, p.scheme));
  if ((p.left || p.right) && p.name != "riemann")
    refuse("--left and --right are those of --problem riemann, not of {}", p.name);
  if (s.threads < 0 || s.threads > 4096) refuse("--threads is {}; give 0 to 4096", s.threads);
  if (s.model.partitions < 0 || s.model.partitions > kMostPartitions)
    refuse("--partitions is {}; give 0 to {}", s.model.partitions, kMostPartitions);
  if (s.max_steps < 0) refuse("--max_steps is {}; give 0 or more", s.max_steps);
  if (s.plot_freq < 0) refuse("--plot_freq is {}; give 0 or more", s.plot_freq);
  if (s.drift_freq < 0) refuse("--drift_freq is {}; give 0 or more", s.drift_freq);
}

}  // namespace

void check_output_paths(const Settings& s) {
  if (!s.results.empty()) program::check_writable(s.results, "--results");
  if (!s.samples.empty()) program::check_writable(s.samples, "--samples");
  storage::check_output_path(s.checkpoint);
  if (s.plot_freq > 0) storage::PlotSeries(s.plot_file).check();
}

namespace {

Parsed parse_words(int argc, const char* const* argv) {
  Parsed parsed;
  Settings& s = parsed.settings;
  CommandLine options("heddle-wave", "heddle-wave: hyperbolic conservation laws on adaptive patches");
  add_problem_options(options, s.problem);
  add_model_options(options, s.model, s.threads);
  add_output_options(options, s);
  parsed.text = options.parse(argc, argv);
  if (parsed.text) return parsed;
  storage::check(options, s.checkpoint);
  for (const char* const option : {"--plot_file", "--plot_vars"})
    options.expect_effect(option, s.plot_freq != 0, "--plot_freq");
  for (const char* const group : {"Problem", "Mesh"}) {
    for (auto& option : options.given(group)) s.problem_options.push_back(std::move(option));
  }
  return parsed;
}

/// The problem is the checkpoint's; --time may be another.
void take_problem(Settings& s) {
  const auto saved = problem_options_of(s.checkpoint.restart);
  const auto find = [](const auto& options, const std::string& name) {
    return std::find_if(options.begin(), options.end(),
                        [&](const auto& option) { return option.first == name; });
  };
  std::vector<std::string> words{"heddle-wave"};
  for (const auto& [name, value] : s.problem_options) {
    const auto was = find(saved, name);
    if (name == "--time") {
      words.insert(words.end(), {name, value});
    } else if (was == saved.end() || was->second != value) {
      refuse("{} {} was {} in the run that wrote {}; leave it out", name, value,
             was == saved.end() ? "not given" : was->second, s.checkpoint.restart);
    }
  }
  for (const auto& [name, value] : saved) {
    if (name != "--time" || find(s.problem_options, name) == s.problem_options.end())
      words.insert(words.end(), {name, value});
  }
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  const Parsed again = parse_words(static_cast<int>(argv.size()), argv.data());
  s.problem = again.settings.problem;
  s.problem_options = again.settings.problem_options;
}

}  // namespace

Parsed parse_options(int argc, const char* const* argv) {
  Parsed parsed = parse_words(argc, argv);
  if (parsed.text) return parsed;
  parsed.settings.argv.assign(argv + std::min(argc, 1), argv + argc);
  if (!parsed.settings.checkpoint.restart.empty()) take_problem(parsed.settings);
  check(parsed.settings);
  return parsed;
}

}  // namespace heddle::wave
