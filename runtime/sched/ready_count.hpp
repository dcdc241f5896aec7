// What threads know of a list of ready tasks without its lock, before they sleep and before they wake others.
//
// Each pair here is of threads of which one changes something and then looks at what the other changes: one
// of them, at least, sees the other's. Hence the sequentially consistent operations.
#pragma once

#include <atomic>
#include <cstddef>

namespace heddle {

/// How many tasks a list holds. What they are is the list's to order.
template <template <class> class Atomic = std::atomic>
class ReadyCount {
 public:
  // Requires: the list's lock.
  void add() { count_.fetch_add(1, std::memory_order_seq_cst); }
  void remove() { count_.fetch_sub(1, std::memory_order_relaxed); }
  void reset() { count_.store(0, std::memory_order_relaxed); }

  /// About how many there are.
  std::size_t size() const { return count_.load(std::memory_order_relaxed); }
  /// Misses no task where a thread has announced its sleep, or has ended its search (sync/parking.hpp), or
  /// has changed what the thread that adds looks at afterwards.
  bool looks_empty() const { return count_.load(std::memory_order_seq_cst) == 0; }

 private:
  Atomic<std::size_t> count_{0};
};

}  // namespace heddle
