// A mutual-exclusion lock of four bytes: the size of gcc's omp_lock_t, the smaller of the two compilers'
// locks. Source: Drepper, "Futexes are tricky", third mutex.
//
// Invariant: 0 is free, 1 held, 2 held and perhaps somebody sleeps. All-zero memory is a free lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "sync/oversubscription.hpp"
#include "sys/futex.hpp"
#include "sys/processor.hpp"

namespace heddle {

/// How threads wait for a lock: another policy drives tests of executions.
struct FutexLockWaits {
  static int looks() {
    constexpr int kLooks = 1000, kLooksIfOversubscribed = 16;
    return g_oversubscription.holds() ? kLooksIfOversubscribed : kLooks;
  }
  static void wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected) {
    futex_wait(word, expected);
  }
  static void wake(const std::atomic<std::uint32_t>& word) { futex_wake(word, 1); }
};

template <template <class> class Atomic = std::atomic, class Waits = FutexLockWaits>
class BasicFutexLock {
 public:
  void lock() {
    std::uint32_t state = 0;
    if (word_.compare_exchange_strong(state, 1, std::memory_order_acquire, std::memory_order_relaxed)) return;
    if (!lock_soon()) lock_late();
  }
  bool try_lock() {
    // Those that come in vain do not take the line from the holder.
    if (word_.load(std::memory_order_relaxed) != 0) return false;
    std::uint32_t state = 0;
    return word_.compare_exchange_strong(state, 1, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void unlock() {
    // release: pairs with the acquire of the next holder
    if (word_.exchange(0, std::memory_order_release) == 2) Waits::wake(word_);
  }

  /// The two parts of a wait: looks for some time, and returns whether the lock was taken; then sleeps until
  /// it is.
  // A waiter stays out of the holder's way, longer from look to look: a thread that lets go and comes back at
  // once takes the lock again without a cache miss, which is worth more than turns. With nobody's processor
  // to spare it sleeps soon.
  bool lock_soon() {
    int pauses = 1;
    for (int looks = Waits::looks(); looks > 0; --looks) {
      if (try_lock()) return true;
      for (int i = 0; i < pauses; ++i) cpu_relax();
      if (pauses < kMostPauses) pauses *= 2;
    }
    return false;
  }
  void lock_late() {
    while (word_.exchange(2, std::memory_order_acquire) != 0) Waits::wait(word_, 2);
  }

 private:
  static constexpr int kMostPauses = 8;

  Atomic<std::uint32_t> word_{0};
};

using FutexLock = BasicFutexLock<>;

static_assert(sizeof(FutexLock) == 4);

}  // namespace heddle
