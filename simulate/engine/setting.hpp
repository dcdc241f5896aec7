// How a workload is executed.
#pragma once

#include "simulate/engine/costs.hpp"

namespace heddle::simulate {

class Network;

struct Setting {
  int workers = 1;             // of each process
  int nodes = 1;               // that the processes are on, in blocks of equal size
  Network* network = nullptr;  // between them; needed for more than one
  Costs costs{};
  bool has_timeline = false;
};

}  // namespace heddle::simulate
