// Waiting for a condition that other threads make true and announce: an event count.
//
// Words: a thread *prepares* to wait and gets a ticket, looks at its condition once more, then *waits* with
// the ticket or *cancels*. A thread that makes a condition true *announces* it afterwards. One event count
// serves any number of conditions; a waiter whose own is still false waits again. Invariant: no announcement
// is lost. Registering and announcing are sequentially consistent, so either the announcer sees the waiter,
// or the waiter's last look sees what was announced.
#pragma once

#include <atomic>
#include <cstdint>

#include "sys/futex.hpp"

namespace heddle {

/// How threads sleep on a word that several share: another policy drives tests of executions.
struct FutexSleepers {
  static void wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t key) {
    futex_wait_for(word, expected, bit_of(key));
  }
  static void wake(const std::atomic<std::uint32_t>& word, std::uint64_t key) {
    futex_wake_for(word, bit_of(key));
  }

 private:
  static std::uint32_t bit_of(std::uint64_t key) { return std::uint32_t{1} << key % 32; }
};

/// A word that conditions of waiters are about.
template <class T, template <class> class Atomic = std::atomic>
class Awaited {
 public:
  // Before announce(). Ordering: what happened before is visible to a waiter whose condition they make true.
  void set(T value) { word_.store(value, std::memory_order_seq_cst); }
  void add_bits(T bits) { word_.fetch_or(bits, std::memory_order_seq_cst); }
  // After prepare(), or at any time.
  T seen() const { return word_.load(std::memory_order_seq_cst); }
  /// Requires: nobody waits.
  void reset(T value = T{}) { word_.store(value, std::memory_order_relaxed); }

 private:
  Atomic<T> word_{T{}};
};

template <template <class> class Atomic = std::atomic, class Sleepers = FutexSleepers>
class EventCount {
 public:
  std::uint32_t prepare() {
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    return epoch_.load(std::memory_order_acquire);
  }
  void cancel() { waiters_.fetch_sub(1, std::memory_order_relaxed); }

  /// Sleeps until something is announced for `key` after prepare(). May return early, too.
  void wait(std::uint32_t ticket, std::uint64_t key) {
    if (epoch_.load(std::memory_order_relaxed) == ticket) Sleepers::wait(epoch_, ticket, key);
    waiters_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Cost: one load where nobody waits. Requires: the condition was made true through an Awaited word.
  void announce(std::uint64_t key) {
    if (waiters_.load(std::memory_order_seq_cst) == 0) return;
    epoch_.fetch_add(1, std::memory_order_release);
    Sleepers::wake(epoch_, key);
  }

 private:
  Atomic<std::uint32_t> epoch_{0};
  Atomic<std::uint32_t> waiters_{0};
};

}  // namespace heddle
