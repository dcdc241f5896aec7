// heddle-simulate-amr: heddle-amr on any number of ranks, from its mesh alone; what happened as JSON on
// standard output.
//
//   heddle-simulate-amr --costs FILE [--machine FILE …] -- --npx 16 … --variant data-flow

#include <fmt/core.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "amr/io/options.hpp"
#include "program/command_line.hpp"
#include "program/user_error.hpp"
#include "simulate/app/generated.hpp"
#include "simulate/app/runs.hpp"
#include "simulate/generate/amr.hpp"

namespace {

using heddle::program::CommandLine;
using heddle::program::parse_number;
using heddle::program::UserError;
using namespace heddle::simulate;

struct Options {
  RunOptions run;
  bool wants_amounts = false;
  bool wants_tasks = false;
};

std::optional<std::string> read(std::span<char*> words, Options& options) {
  CommandLine line(
      "heddle-simulate-amr",
      "Executes heddle-amr on simulated ranks and threads. Behind -- stand heddle-amr's options; "
      "the run begins with the first timestep, on the mesh that is there then.");
  line.group("Input");
  add_run_options(line, options.run);
  line.flag("--amounts", options.wants_amounts, "Say what all ranks do in the run, and simulate nothing");
  line.flag("--tasks", options.wants_tasks,
            "Say which tasks each rank creates, in order, and what each depends on; simulate nothing");
  if (auto help = line.parse(static_cast<int>(words.size()), words.data())) return help;
  check_run_options(options.run);
  return std::nullopt;
}

// The number of ranks that its options speak of.
int ranks_of(std::span<char*> words) {
  int product = 1;
  for (const std::string_view name : {"--npx", "--npy", "--npz"}) {
    std::string value = "1";
    for (std::size_t i = 1; i < words.size(); ++i) {
      const std::string_view word = words[i];
      if (word == name && i + 1 < words.size()) value = words[i + 1];
      if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
        value = word.substr(name.size() + 1);
    }
    const int number = parse_number<int>(std::string(name), value);
    constexpr int kMost = 1 << 20;
    if (number < 1 || number > kMost / product)
      throw UserError(fmt::format("{} {}: give 1 or more, and {} ranks at most", name, value, kMost));
    product *= number;
  }
  return product;
}

nlohmann::json json_of(const AmrAmounts& amounts) {
  nlohmann::json result;
  for (std::size_t i = 0; i < kAmrWorkNames.size(); ++i) result[kAmrWorkNames[i]] = amounts[i];
  return result;
}

Answer run(int argc, char** argv) {
  Words given = split(argc, argv);
  std::vector<char*>& words = given.of_program;
  Options options;
  if (const auto help = read(given.own, options)) return *help;
  const auto parsed = heddle::amr::parse_options(static_cast<int>(words.size()), words.data(), amr_variants(),
                                                 ranks_of(words));
  if (parsed.text) return *parsed.text;
  const bool simulates = !options.wants_amounts && !options.wants_tasks;
  const AmrCosts costs =
      simulates ? read_amr_costs(options.run.costs, parsed.settings.variant == "reference") : AmrCosts{};
  const AmrMeshes meshes(parsed.settings);
  AmrWorkload made;
  const auto workload_of = [&](int threads) -> const Workload& {
    made = amr_workload(parsed.settings, meshes, costs, threads);
    return made.workload;
  };
  nlohmann::json result = nlohmann::json::object();
  if (simulates)
    result = simulated(workload_of, options.run);
  else
    workload_of(options.run.cores.front());
  if (options.wants_amounts) result["amounts"] = json_of(made.amounts);
  if (options.wants_tasks) result["tasks"] = tasks_of(made.workload);
  result["blocks"] = meshes.initial().after.size();
  for (const AmrMeshes::Refinement& refinement : meshes.refinements())
    result["refined_to"].push_back(refinement.after.size());
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  return answer("heddle-simulate-amr", [&] { return run(argc, argv); });
}
