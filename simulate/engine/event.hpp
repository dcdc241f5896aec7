// What is planned in a simulation.
#pragma once

#include <cstdint>

namespace heddle::simulate {

struct Event {
  enum class What : std::uint8_t { kWorker, kArrival, kCollective };
  What what;
  int process = 0, worker = 0;  // whose next step it is
  std::uint64_t number = 0;     // of the message that arrives, or of the collective operation that ends
};

}  // namespace heddle::simulate
