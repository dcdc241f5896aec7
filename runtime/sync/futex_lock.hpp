// A mutual-exclusion lock of four bytes: the size of gcc's omp_lock_t, the smaller of the two compilers'
// locks. Source: Drepper, "Futexes are tricky", third mutex.
//
// Invariant: 0 is free, 1 held, 2 held and perhaps somebody sleeps. All-zero memory is a free lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "sys/futex.hpp"
#include "sys/relax.hpp"

namespace heddle {

class FutexLock {
 public:
  void lock() {
    std::uint32_t state = 0;
    if (word_.compare_exchange_strong(state, 1, std::memory_order_acquire, std::memory_order_relaxed)) return;
    lock_slowly();
  }
  bool try_lock() {
    std::uint32_t state = 0;
    return word_.compare_exchange_strong(state, 1, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void unlock() {
    // release: pairs with the acquire of the next holder
    if (word_.exchange(0, std::memory_order_release) == 2) futex_wake(word_, 1);
  }

 private:
  void lock_slowly() {
    // A short spin pays only while the holder runs; beyond it sleeping is cheaper for everybody.
    for (int spin = 0; spin < 100; ++spin) {
      std::uint32_t state = word_.load(std::memory_order_relaxed);
      if (state == 0 &&
          word_.compare_exchange_strong(state, 1, std::memory_order_acquire, std::memory_order_relaxed))
        return;
      cpu_relax();
    }
    while (word_.exchange(2, std::memory_order_acquire) != 0) futex_wait(word_, 2);
  }

  std::atomic<std::uint32_t> word_{0};
};

static_assert(sizeof(FutexLock) == 4);

}  // namespace heddle
