// How a thread without a team is given a place in one.
#pragma once

#include <atomic>
#include <cstdint>

#include "sync/parking.hpp"

namespace heddle {

/// One place at a time, from any thread to the one that waits. It is given none before it has taken the last.
template <class Place, template <class> class Atomic = std::atomic, class Sleep = FutexSleep>
class Assignment {
 public:
  /// Before the thread exists. Null takes it back.
  void prepare(Place* place) { place_.store(place, std::memory_order_relaxed); }

  /// Ordering: what happened before is visible to the thread that takes it.
  void give(Place* place) {
    place_.store(place, std::memory_order_release);  // release: pairs with the acquire in take()
    calls_.fetch_add(1, std::memory_order_release);  // so that a thread that sees it sees the place
    Sleep::wake(calls_);
  }

  /// Waits until there is one. spins() is called after each look in vain, and returns false where it is time
  /// to sleep.
  template <class Spins>
  Place* take(Spins&& spins) {
    for (;;) {
      const std::uint32_t calls = calls_.load(std::memory_order_acquire);
      if (Place* const place = place_.load(std::memory_order_acquire)) {
        place_.store(nullptr, std::memory_order_relaxed);
        return place;
      }
      if (!spins()) Sleep::wait(calls_, calls);
    }
  }

 private:
  Atomic<Place*> place_{nullptr};
  Atomic<std::uint32_t> calls_{0};  // changes with every place that is given
};

}  // namespace heddle
