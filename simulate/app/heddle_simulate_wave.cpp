// heddle-simulate-wave: heddle-wave on any number of ranks, from its mesh alone; what happened as JSON on
// standard output.
//
//   heddle-simulate-wave --costs FILE [--ranks N] [--machine FILE …] -- --problem sedov --max_steps 10 …

#include <fmt/core.h>

#include <optional>
#include <string>

#include "program/command_line.hpp"
#include "program/user_error.hpp"
#include "simulate/app/generated.hpp"
#include "simulate/app/runs.hpp"
#include "simulate/generate/wave.hpp"
#include "wave/io/options.hpp"
#include "wave/problem/catalogue.hpp"

namespace {

using heddle::program::UserError;
using namespace heddle::simulate;

struct Options {
  RunOptions run;
  int ranks = 1;
  bool wants_tasks = false;
};

std::optional<std::string> read(std::span<char*> words, Options& options) {
  heddle::program::CommandLine line(
      "heddle-simulate-wave",
      "Executes heddle-wave on simulated ranks and threads. Behind -- stand heddle-wave's options; its mesh "
      "stays as it is at the start.");
  line.group("Input");
  add_run_options(line, options.run);
  line.valued("--ranks", "How many ranks there are [1]", "N", [&](const std::string& text) {
    constexpr int kMost = 1 << 20;
    options.ranks = heddle::program::parse_number<int>("--ranks", text);
    if (options.ranks < 1 || options.ranks > kMost)
      throw UserError(fmt::format("--ranks {}: give a number from 1 to {}", text, kMost));
  });
  line.flag("--tasks", options.wants_tasks,
            "Say which tasks each rank creates, in order, and what each depends on; simulate nothing");
  if (auto help = line.parse(static_cast<int>(words.size()), words.data())) return help;
  check_run_options(options.run);
  return std::nullopt;
}

Answer run(int argc, char** argv) {
  const Words words = split(argc, argv);
  Options options;
  if (const auto help = read(words.own, options)) return *help;
  const auto parsed =
      heddle::wave::parse_options(static_cast<int>(words.of_program.size()), words.of_program.data());
  if (parsed.text) return *parsed.text;
  check_wave(parsed.settings);
  const WaveCosts costs =
      options.wants_tasks ? WaveCosts{} : read_wave_costs(options.run.costs, costs_of(parsed.settings));
  const auto mesh = heddle::wave::initial_mesh(parsed.settings.problem, options.ranks);
  Workload made;
  const auto workload_of = [&](int cores) -> const Workload& {
    made = wave_workload(parsed.settings, *mesh, options.ranks, cores, costs);
    return made;
  };
  nlohmann::json result = nlohmann::json::object();
  if (options.wants_tasks)
    result["tasks"] = tasks_of(workload_of(options.run.cores.front()));
  else
    result = simulated(workload_of, options.run);
  result["blocks"] = mesh->patches();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  return answer("heddle-simulate-wave", [&] { return run(argc, argv); });
}
