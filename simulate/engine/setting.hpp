// How a workload is executed.
#pragma once

#include "simulate/engine/costs.hpp"

namespace heddle::simulate {

struct Setting {
  int workers = 1;
  Costs costs{};
  bool has_timeline = false;
};

}  // namespace heddle::simulate
