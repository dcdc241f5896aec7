// Whether more threads than processors are at work: how long one that waits may spin depends on it.
#pragma once

#include <atomic>

#include "base/cache_line.hpp"

namespace heddle {

/// Counts the threads of this process that want a processor, and keeps what follows on a line of its own, for
/// those that wait to read.
template <template <class> class Atomic = std::atomic>
class Oversubscription {
 public:
  /// What the last that has changed the count says of it; other threads may see it late.
  bool holds() const { return holds_.load(std::memory_order_relaxed); }

  /// So many threads more want one of the `processors`, or fewer.
  void add(int threads, int processors) {
    // seq_cst, all of them: a thread that has stored what it then reads may have seen the count of before;
    // so it reads that once more, or the one that changes the count reads what it has stored.
    threads_.fetch_add(threads, std::memory_order_seq_cst);
    for (;;) {
      const bool said = holds_.load(std::memory_order_seq_cst);
      const bool holds = threads_.load(std::memory_order_seq_cst) > processors;
      if (said == holds) return;
      holds_.store(holds, std::memory_order_seq_cst);
    }
  }

  /// Requires: the caller is the only thread.
  void forget_others() {
    threads_.store(1, std::memory_order_relaxed);
    holds_.store(false, std::memory_order_relaxed);
  }

 private:
  alignas(kCacheLine) Atomic<bool> holds_{false};
  alignas(kCacheLine) Atomic<int> threads_{1};
};

inline constinit Oversubscription<> g_oversubscription;

}  // namespace heddle
