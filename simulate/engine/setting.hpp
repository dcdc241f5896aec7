// How a workload is executed.
#pragma once

#include <cstdint>

#include "simulate/engine/costs.hpp"

namespace heddle::simulate {

class Network;

/// Whose rules threads follow.
enum class Runtime : std::uint8_t { kHeddle, kGnu, kLlvm };

struct Setting {
  int workers = 1;             // of each process
  int nodes = 1;               // that the processes are on, in blocks of equal size
  Network* network = nullptr;  // between them; needed for more than one
  Runtime runtime = Runtime::kHeddle;
  Costs costs{};
  bool has_timeline = false;
};

}  // namespace heddle::simulate
