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
  int sockets = 1;             // of a node, each of as many of its cores, in order
  int cores = 0;               // of a node; 0: one for each worker on it
  double remote = 1;           // how many times as long work takes whose data is on another socket
  Runtime runtime = Runtime::kHeddle;
  Costs costs{};
  bool has_timeline = false;
};

}  // namespace heddle::simulate
