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

/// When each thread did what, and for which task. Units: ns.
struct Timeline {
  static constexpr std::int64_t kNoTask = -1;

  struct TaskNote {
    int process, kind;     // kind: of the workload; kInitial: what is outside of regions
    int worker;            // that created it
    std::int64_t creator;  // a task; kNoTask of implicit ones, which each thread of a region has
    double created;
  };
  struct Stretch {
    int process, worker;
    std::int64_t task;  // kNoTask: outside of all
    bool is_of_runtime;
    double begin, end;
  };
  /// The task `sink` waited for `source`.
  struct Edge {
    std::int64_t source, sink;
  };
  /// posted: the receive; received: both are there.
  struct Message {
    int source_process, source_worker, sink_process, sink_worker;
    double sent, posted, received;
    std::int64_t bytes;
  };
  static constexpr int kInitial = -1;

  std::vector<TaskNote> tasks;
  std::vector<Stretch> stretches;
  std::vector<Edge> edges;
  std::vector<Message> messages;
};

struct Outcome {
  double duration = 0;               // ns
  std::vector<WorkerTimes> workers;  // those of the first process, of the second, …
  std::uint64_t tasks = 0, executed_inline = 0, stolen = 0, events = 0;
  std::uint64_t messages = 0, bytes = 0;  // sent
  double busiest_link = 0;                // ns, as network/network.hpp
  Timeline timeline;                      // where it is wanted
};

}  // namespace heddle::simulate
