// What is planned in a simulation.
#pragma once

#include <cstdint>

namespace heddle::simulate {

struct Event {
  enum class What : std::uint8_t { kWorker, kLook, kArrival, kCollective };
  What what;
  int process = 0, worker = 0;  // whose next step it is, or who looks again
  /// Of the message that arrives, of the collective operation that ends, or since when the worker waits.
  std::uint64_t number = 0;
};

}  // namespace heddle::simulate
