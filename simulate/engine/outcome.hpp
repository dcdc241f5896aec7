// What a simulation has found.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::simulate {

/// Of one thread. Units: ns.
struct WorkerTimes {
  double work = 0;      // the program's
  double overhead = 0;  // the runtime's
  double idle = 0;      // the rest
};

struct Stretch {
  int process, worker;
  int kind;  // of the workload
  double begin, end;
};

struct Outcome {
  double duration = 0;               // ns
  std::vector<WorkerTimes> workers;  // those of the first process, of the second, …
  std::uint64_t tasks = 0, executed_at_once = 0, stolen = 0, events = 0;
  std::uint64_t messages = 0, bytes = 0;  // sent
  std::vector<Stretch> timeline;          // where it is wanted
};

}  // namespace heddle::simulate
