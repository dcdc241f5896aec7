// What the simulators' command lines have in common: on which machine, with which costs, and what is said of
// it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "program/command_line.hpp"
#include "simulate/engine/setting.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

struct RunOptions {
  std::string costs, machine;
  Runtime runtime = Runtime::kHeddle;
  bool queues_on_links = false;  // else messages share them
  std::vector<int> cores{1};
  int nodes = 0;        // 0: as many as are needed
  int sockets = 1;      // of each
  double remote = 1.5;  // as Setting::remote
  bool has_timeline = false;
};

void add_run_options(program::CommandLine& line, RunOptions& options);

/// What is printed: a text as it is, or a result as JSON.
using Answer = std::variant<std::string, nlohmann::json>;
/// Prints what run() returns, or the UserError that it throws, behind the program's name. Returns the exit
/// status.
int answer(const char* program, const std::function<Answer()>& run);

/// Errors: throws UserError for what contradicts itself.
void check_run_options(const RunOptions& options);

/// What is simulated on so many cores of each process. It stays as it is until the next call.
using WorkloadOf = std::function<const Workload&(int cores)>;

/// Simulates each number of cores. Errors: throws UserError, as simulate(), and where the machine has no
/// room.
nlohmann::json simulated(const WorkloadOf& workload_of, const RunOptions& options);
/// The same workload on all.
nlohmann::json simulated(const Workload& workload, const RunOptions& options);

}  // namespace heddle::simulate
