// Runs small concurrent scenarios under every interleaving of their atomic operations.
//
// Words: a *thread* of a scenario is a coroutine that gives control back before each atomic operation; a
// *schedule* is the sequence of choices who goes next. Schedules are enumerated depth first, each from a
// fresh scenario. The memory model explored is sequential consistency; weaker orderings are ThreadSanitizer's
// and review's job.
#pragma once

#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace heddle::test {

class Explorer {
 public:
  /// One scenario: thread bodies, and what must hold when all have ended.
  struct Scenario {
    std::vector<std::function<void()>> threads;
    std::function<void()> at_end;
  };

  struct Result {
    std::uint64_t schedules = 0;
    std::uint64_t deadlocks = 0;  // schedules in which every unfinished thread slept for good
    bool is_complete = false;     // all schedules were run
  };

  /// Runs make() under every schedule with at most `preemptions` switches away from a thread that could have
  /// gone on.
  static Result run(const std::function<Scenario()>& make, int preemptions = 1 << 20,
                    std::uint64_t most = 5'000'000);

  /// Before an atomic operation.
  static void yield();
  /// Lets the calling thread go on only once may_continue() holds.
  static void block(std::function<bool()> may_continue);
};

/// Fails the test unless every schedule was run and none left a thread asleep; records how many there were.
void expect_every_schedule_ends(const Explorer::Result& result);

/// Stands in for std::atomic as the atomic policy of a lock-free structure.
template <class T>
class ExploredAtomic {
 public:
  ExploredAtomic() = default;
  ExploredAtomic(T value) : value_(value) {}  // NOLINT: std::atomic converts as well
  T load(std::memory_order = std::memory_order_seq_cst) const {
    Explorer::yield();
    return value_;
  }
  void store(T value, std::memory_order = std::memory_order_seq_cst) {
    Explorer::yield();
    value_ = value;
  }
  T exchange(T value, std::memory_order = std::memory_order_seq_cst) {
    Explorer::yield();
    return std::exchange(value_, value);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst) {
    Explorer::yield();
    if (value_ == expected) {
      value_ = desired;
      return true;
    }
    expected = value_;
    return false;
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order a = std::memory_order_seq_cst,
                             std::memory_order b = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired, a, b);
  }
  T fetch_add(T by, std::memory_order = std::memory_order_seq_cst) {
    return change([by](T v) { return v + by; });
  }
  T fetch_sub(T by, std::memory_order = std::memory_order_seq_cst) {
    return change([by](T v) { return v - by; });
  }
  T fetch_or(T bits, std::memory_order = std::memory_order_seq_cst) {
    return change([bits](T v) { return v | bits; });
  }
  T fetch_and(T bits, std::memory_order = std::memory_order_seq_cst) {
    return change([bits](T v) { return v & bits; });
  }

  /// The value, without giving control away: for conditions and final checks.
  T peek() const { return value_; }

 private:
  template <class F>
  T change(F&& f) {
    Explorer::yield();
    const T before = value_;
    value_ = static_cast<T>(f(before));
    return before;
  }
  T value_{};
};

}  // namespace heddle::test
