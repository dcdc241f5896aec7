// A pointer that its owner changes, and that other threads may look at: the watchdog, for its reports.
#pragma once

#include <atomic>

namespace heddle {

template <class T>
class Published {
 public:
  Published(T* to = nullptr) : to_(to) {}  // NOLINT: as a plain pointer would

  // Threads: the owner. Cost: as of a plain pointer.
  operator T*() const { return to_.load(std::memory_order_relaxed); }  // NOLINT: as above
  T* operator->() const { return *this; }
  Published& operator=(T* to) {
    to_.store(to, std::memory_order_release);  // release: pairs with seen()
    return *this;
  }

  /// Threads: any. Ordering: what the owner wrote before it set the pointer is visible.
  T* seen() const { return to_.load(std::memory_order_acquire); }

 private:
  std::atomic<T*> to_;
};

}  // namespace heddle
