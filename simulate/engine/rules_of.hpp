// The rules of each runtime, by its name.
#pragma once

#include <memory>

#include "simulate/engine/data_homes.hpp"
#include "simulate/engine/runtime_rules.hpp"

namespace heddle::simulate {

/// homes: of the process' data; it says where each worker is.
std::unique_ptr<RuntimeRules> rules_of(Runtime runtime, const Costs& costs, const DataHomes& homes);

}  // namespace heddle::simulate
