// heddle-simulate: a workload on so many simulated threads; what happened as JSON on standard output.

#include <fmt/core.h>

#include <optional>
#include <string>

#include "program/command_line.hpp"
#include "program/user_error.hpp"
#include "simulate/app/runs.hpp"
#include "simulate/workload/workload.hpp"

namespace {

using heddle::program::CommandLine;
using heddle::program::UserError;
using namespace heddle::simulate;

struct Options {
  std::string workload;
  RunOptions run;
};

std::optional<std::string> read(int argc, char** argv, Options& options) {
  CommandLine line("heddle-simulate", "Executes a workload on simulated threads under libheddle's rules.");
  line.group("Input");
  line.file("--workload", options.workload, "What is executed; 'heddle simulate' makes one of a trace");
  add_run_options(line, options.run);
  if (auto help = line.parse(argc, argv)) return help;
  if (options.workload.empty()) throw UserError("--workload is missing; see --help");
  check_run_options(options.run);
  return std::nullopt;
}

Answer run(int argc, char** argv) {
  Options options;
  if (const auto help = read(argc, argv, options)) return *help;
  return simulated(read_workload(options.workload), options.run);
}

}  // namespace

int main(int argc, char** argv) {
  return answer("heddle-simulate", [&] { return run(argc, argv); });
}
