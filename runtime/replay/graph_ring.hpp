// How far the executions of a record have come that begin before older ones are complete.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// What instances in a ring share: how many executions have begun, and of how many the last segment has
/// ended.
template <template <class> class Atomic = std::atomic>
class GraphRing {
 public:
  /// The number of the next execution. Threads: the one that begins them.
  std::uint32_t begin() { return begun_++; }
  std::uint32_t begun() const { return begun_; }

  // A thread that defers a task queues it and then looks how many have ended; one that ends an execution says
  // so and then looks for deferred tasks: one of them sees the other's (sched/ready_count.hpp).
  void end_one() { ended_.fetch_add(1, std::memory_order_seq_cst); }
  std::uint32_t ended() const { return ended_.load(std::memory_order_seq_cst); }

 private:
  std::uint32_t begun_ = 0;
  Atomic<std::uint32_t> ended_{0};
};

}  // namespace heddle
