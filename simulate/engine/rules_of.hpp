// The rules of each runtime, by its name.
#pragma once

#include <memory>

#include "simulate/engine/runtime_rules.hpp"

namespace heddle::simulate {

/// workers: of the process.
std::unique_ptr<RuntimeRules> rules_of(Runtime runtime, const Costs& costs, int workers);

}  // namespace heddle::simulate
