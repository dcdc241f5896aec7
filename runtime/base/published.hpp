// A value by which a thread hands on what it has written before.
#pragma once

#include <atomic>
#include <type_traits>

namespace heddle {

/// Mostly a pointer, to what is complete when the pointer is set. For its owner it is as a plain value.
/// Threads: one at a time owns it; others may only look, by seen(). Where several may set it, each of them
/// does so by replace(), or all set the same, or each hands on what it has seen here.
template <class T, template <class> class Atomic = std::atomic>
class Published {
 public:
  constexpr Published(T value = T{}) noexcept : value_(value) {}  // NOLINT: as a plain value
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;

  // Threads: the owner.
  operator T() const { return value_.load(std::memory_order_relaxed); }  // NOLINT: as above
  T operator->() const
    requires std::is_pointer_v<T>
  {
    return *this;
  }
  Published& operator=(T value) {
    value_.store(value, std::memory_order_release);  // release: pairs with seen()
    return *this;
  }

  /// Threads: any. Ordering: what the owner wrote before it set the value is visible.
  T seen() const { return value_.load(std::memory_order_acquire); }

  /// Sets it where it is `expected`, and returns whether it was.
  bool replace(T expected, T value) {
    return value_.compare_exchange_strong(expected, value, std::memory_order_release,
                                          std::memory_order_relaxed);
  }

 private:
  Atomic<T> value_;
};

}  // namespace heddle
