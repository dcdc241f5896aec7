// A simulated thread: the tasks that it executes, one on top of another, and what the topmost waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/sched/chunk_batch.hpp"
#include "runtime/sched/spawn_policy.hpp"
#include "simulate/engine/messages.hpp"
#include "simulate/engine/outcome.hpp"
#include "simulate/engine/simulated_task.hpp"
#include "simulate/time/clock.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

enum class Waits : std::uint8_t {
  kNot,
  kChildren,
  kDescendants,
  kUndeferred,  // a child that is executed before its creator goes on
  kBarrier,
  kHelps,
  kToCreateSerially,
  kLock,
  kRegion,
  kMessage
};

// A script, how far it has come, and for which thread of how many it is executed.
struct Cursor {
  const Script* script;
  std::size_t at = 0;
  int thread = 0, threads = 1;
  std::int64_t again = 0;  // so many times more
  std::size_t end = script->size();
  bool is_taskloop = false;    // which may be halved
  bool is_range = false;       // its tasks are chunks, executed by who has the range
  bool is_undeferred = false;  // its tasks are
};

// A task on a thread's stack.
struct Frame {
  SimulatedTask* task;
  std::vector<Cursor> cursors;
  Waits waits = Waits::kNot;
  std::int64_t until = 0;  // kHelps: so many children; kToCreateSerially: the time when it gives up
  Time idle_until =
      0;  // kToCreateSerially: when it gives up if it finds nothing; 0: it has just executed something
  bool is_inline = false;
  Time began = 0;
  double slowdown = 1;              // how many times as long its work takes this worker
  std::int64_t sampled_since = -1;  // at once, and timed: how many the thread had executed so before; or -1
  PostingHandle awaited = nullptr;  // kMessage
  std::optional<ChunkBatch<SimulatedClock>> batch = {};  // of the range that it executes, once it has begun
  std::size_t next_look = 0;  // the chunk before which the range looks at the clock
};

struct SimulatedWorker {
  int number = 0;
  std::vector<Frame> frames;
  bool is_planned = false;  // an event will come
  Time idle_since = -1;     // or -1
  int inline_depth = 0;
  SpawnPolicy<SimulatedClock> policy;
  WorkerTimes times;
};

}  // namespace heddle::simulate
