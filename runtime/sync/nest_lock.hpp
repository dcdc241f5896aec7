// Nestable locks: OpenMP 5.2, section 18.9. They are too rare to deserve a queue of threads that wait.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/plain.hpp"

namespace heddle {

/// Owned by a task: its address in the lower 48 bits, how often it is held above. Zero is free.
template <template <class> class Atomic = std::atomic>
class NestLock {
 public:
  /// Returns how often the task holds the lock now, 0 where another task does.
  int try_take(std::uint64_t task) {
    std::uint64_t state = state_.load(std::memory_order_relaxed);
    if ((state & (kOnce - 1)) == task) {
      state_.store(state + kOnce, std::memory_order_relaxed);  // ours: nobody else writes it
      return static_cast<int>((state + kOnce) / kOnce);
    }
    state = 0;
    // acquire: pairs with the release in give_back()
    return state_.compare_exchange_strong(state, task + kOnce, std::memory_order_acquire,
                                          std::memory_order_relaxed)
               ? 1
               : 0;
  }
  /// How often its owner, the caller's task, holds it.
  int times() const { return static_cast<int>(state_.load(std::memory_order_relaxed) / kOnce); }
  /// Requires: the caller's task owns it. Once less.
  void give_back() {
    const std::uint64_t held = state_.load(std::memory_order_relaxed);
    if (held / kOnce > 1)
      state_.store(held - kOnce, std::memory_order_relaxed);
    else
      state_.store(0, std::memory_order_release);
  }

 private:
  static constexpr std::uint64_t kOnce = std::uint64_t{1} << 48;
  Atomic<std::uint64_t> state_{0};
};
static_assert(sizeof(NestLock<>) == 8);

/// Owned by a thread, as in OpenMP 2.5; aligned as two words of 4 bytes are.
template <template <class> class Atomic = std::atomic>
class ThreadNestLock {
 public:
  /// thread: not 0. Returns how often it holds the lock now, 0 where another one does.
  int try_take(std::int32_t thread) {
    std::int32_t free = 0;
    if (owner_.load(std::memory_order_relaxed) == thread) {
      times_ = times_ + 1;
      return times_;
    }
    // acquire: pairs with the release in give_back()
    if (!owner_.compare_exchange_strong(free, thread, std::memory_order_acquire, std::memory_order_relaxed))
      return 0;
    times_ = 1;
    return 1;
  }
  void give_back() {
    times_ = times_ - 1;
    if (times_ == 0) owner_.store(0, std::memory_order_release);
  }

 private:
  Atomic<std::int32_t> owner_{0};                                 // 0: it is free
  typename Plain<Atomic>::template Data<std::int32_t> times_{0};  // its owner's
};
static_assert(sizeof(ThreadNestLock<>) == 8 && alignof(ThreadNestLock<>) == 4);

}  // namespace heddle
