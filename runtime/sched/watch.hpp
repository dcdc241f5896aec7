// Who of a team's sleeping threads looks after the pollers, so that the others can sleep as long as they
// like.
//
// Words: the *watcher* sleeps only until the next poller is due. A *round* is what it looks after: it ends
// when a poller comes, because the watcher may sleep for longer than the new one likes, or for good.
// Invariant: of the threads that sleep in a round one watches in that round or a later one, or has left its
// watch and not slept since; more than one may for a while.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

template <template <class> class Atomic = std::atomic>
class Watch {
 public:
  /// Returns whether the caller watches now: then it looks when the next poller is due, sleeps until then,
  /// and calls end(). Requires: `round` is not 0, and was read after the caller was announced as a sleeper.
  bool begin(std::uint32_t round) { return round_.exchange(round, std::memory_order_relaxed) != round; }

  void end(std::uint32_t round) {
    round_.compare_exchange_strong(round, 0, std::memory_order_relaxed, std::memory_order_relaxed);
  }

 private:
  Atomic<std::uint32_t> round_{0};  // 0: nobody watches
};

}  // namespace heddle
