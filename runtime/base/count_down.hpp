// A count of those that are waited for, which the last of them need not write.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

template <template <class> class Atomic = std::atomic>
class CountDown {
 public:
  explicit CountDown(std::uint32_t count = 0) : count_(count) {}

  /// Requires: no other thread knows it, or nobody is waited for any more.
  void reset(std::uint32_t count) { count_.store(count, std::memory_order_relaxed); }
  /// One more. Requires: the caller itself is waited for.
  void add_one() { count_.fetch_add(1, std::memory_order_relaxed); }

  /// One less. Returns true where it was the last one; then the count may stay 1.
  /// Ordering: what came before the other calls is visible to the thread that gets true.
  bool release_one() {
    // acquire: pairs with the release of those before; the last one has nobody to tell
    if (count_.load(std::memory_order_acquire) == 1) return true;
    return release(1);
  }
  /// So many less, as above.
  bool release(std::uint32_t count) { return count_.fetch_sub(count, std::memory_order_acq_rel) == count; }

 private:
  Atomic<std::uint32_t> count_;
};

}  // namespace heddle
