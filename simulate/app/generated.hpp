// What the simulators of programs that need no trace have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// Both begin with the simulator's name.
struct Words {
  std::span<char*> own;           // before --
  std::vector<char*> of_program;  // behind it
};
[[nodiscard]] Words split(int argc, char** argv);

/// For each rank its tasks in the order of their creation: what is executed, and addresses with types in
/// turn.
[[nodiscard]] nlohmann::json tasks_of(const Workload& workload);

}  // namespace heddle::simulate
