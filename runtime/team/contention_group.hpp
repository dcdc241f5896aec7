// The threads that OMP_THREAD_LIMIT bounds together: an initial thread and those of the regions inside,
// nested ones included (OpenMP 5.2, section 2.3 and algorithm 10.1).
//
// Invariant: what take() gave is given back once. The initial thread counts for itself.
#pragma once

#include <algorithm>
#include <atomic>

namespace heddle {

class ContentionGroup {
 public:
  /// Threads that a region may have besides the one that meets it.
  int available(int thread_limit) const {
    return std::max(0, thread_limit - threads_.load(std::memory_order_relaxed));
  }

  /// Takes up to `wanted` of them, and returns how many.
  int take(int wanted, int thread_limit) {
    if (wanted == 0) return 0;
    int before = threads_.load(std::memory_order_relaxed);
    int taken;
    do {
      taken = std::clamp(thread_limit - before, 0, wanted);
    } while (!threads_.compare_exchange_weak(before, before + taken, std::memory_order_relaxed));
    return taken;
  }
  void give_back(int count) {
    if (count != 0) threads_.fetch_sub(count, std::memory_order_relaxed);
  }

  /// In the child of a fork: the caller is the only thread.
  void forget_other_threads() { threads_.store(1, std::memory_order_relaxed); }

 private:
  std::atomic<int> threads_{1};
};

}  // namespace heddle
