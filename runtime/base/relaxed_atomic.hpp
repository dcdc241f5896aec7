// A variable of several threads that orders nothing: hints, counters, flags that are looked at again.
//
// What else a thread has written is not visible to one that reads such a variable. A value that hands on what
// was written before it is Published (base/published.hpp).
#pragma once

#include <atomic>

namespace heddle {

/// std::atomic whose operations are all relaxed.
template <class T>
class RelaxedAtomic {
 public:
  constexpr RelaxedAtomic(T value = T{}) noexcept : value_(value) {}  // NOLINT: as std::atomic's
  RelaxedAtomic(const RelaxedAtomic&) = delete;
  RelaxedAtomic& operator=(const RelaxedAtomic&) = delete;

  T load() const { return value_.load(std::memory_order_relaxed); }
  void store(T value) { value_.store(value, std::memory_order_relaxed); }
  T exchange(T value) { return value_.exchange(value, std::memory_order_relaxed); }
  bool compare_exchange_weak(T& expected, T desired) {
    return value_.compare_exchange_weak(expected, desired, std::memory_order_relaxed);
  }
  bool compare_exchange_strong(T& expected, T desired) {
    return value_.compare_exchange_strong(expected, desired, std::memory_order_relaxed);
  }
  T fetch_add(T by) { return value_.fetch_add(by, std::memory_order_relaxed); }
  T fetch_sub(T by) { return value_.fetch_sub(by, std::memory_order_relaxed); }
  T fetch_or(T bits) { return value_.fetch_or(bits, std::memory_order_relaxed); }
  T fetch_and(T bits) { return value_.fetch_and(bits, std::memory_order_relaxed); }

 private:
  std::atomic<T> value_;
};

}  // namespace heddle
