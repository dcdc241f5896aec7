// A function of the program that the runtime calls from time to time, and the agreement when it is called no
// more.
//
// Words: a poller is *due* when its interval has passed since its last call ended. Invariants: it is never
// called by two threads at once; once remove() has returned it is not running, unless the caller is the
// poller itself, and never runs again.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

struct Poller {
  void (*poll)(void*) = nullptr;
  void* argument = nullptr;
  std::int64_t interval_ns = 0;
};

template <template <class> class Atomic = std::atomic>
class PollerSlot {
 public:
  using Clock = std::int64_t (*)();

  /// Requires: is_free(); no other thread adds to this slot meanwhile.
  void add(const Poller& poller, std::int64_t now) {
    poller_ = poller;
    due_.store(now + poller.interval_ns, std::memory_order_relaxed);
    // release: a thread that still waits for the end of the one before sees what that did
    life_.store(life_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    state_.store(kIdle, std::memory_order_release);  // release: pairs with the acquire in call_if_due()
  }
  bool is_free() const { return state_.load(std::memory_order_acquire) == kFree; }

  /// When it will be due; of a free slot far in the future.
  std::int64_t due() const { return is_free() ? INT64_MAX : due_.load(std::memory_order_relaxed); }

  /// Threads: any. Returns whether it was called.
  bool call_if_due(std::int64_t now, Clock clock) {
    if (due_.load(std::memory_order_relaxed) > now) return false;
    std::uint32_t state = kIdle;
    if (!state_.compare_exchange_strong(state, kRunning, std::memory_order_acquire,
                                        std::memory_order_relaxed))
      return false;
    // Somebody else may have called it between the two looks; the state's acquire shows when.
    const bool is_due = due_.load(std::memory_order_relaxed) <= now;
    if (is_due) {
      poller_.poll(poller_.argument);
      due_.store(clock() + poller_.interval_ns, std::memory_order_relaxed);
    }
    state = kRunning;
    // release: pairs with the acquire of the next caller, and of the thread that removes or adds
    if (!state_.compare_exchange_strong(state, kIdle, std::memory_order_release, std::memory_order_relaxed))
      state_.store(kFree, std::memory_order_release);
    return is_due;
  }

  /// Threads: any, once for each add(). is_inside: the caller is in this poller's own call. wait(is_over)
  /// returns once is_over(load) holds, where load(word, order) loads an atomic.
  template <class Wait>
  void remove(bool is_inside, Wait&& wait) {
    const std::uint32_t life = life_.load(std::memory_order_relaxed);
    for (;;) {
      std::uint32_t state = kIdle;
      if (state_.compare_exchange_strong(state, kFree, std::memory_order_acquire, std::memory_order_relaxed))
        return;
      state = kRunning;
      if (state_.compare_exchange_strong(state, kLeaving, std::memory_order_relaxed,
                                         std::memory_order_relaxed))
        break;
    }
    if (is_inside) return;
    wait([&](auto&& load) {
      return load(state_, std::memory_order_acquire) != kLeaving ||
             load(life_, std::memory_order_acquire) != life;
    });
  }

  /// In the child of a fork: the thread that ran the poller is lost, unless it is the caller.
  void survive_fork(bool is_inside) {
    const std::uint32_t state = state_.load(std::memory_order_relaxed);
    if (is_inside || state == kFree || state == kIdle) return;
    state_.store(state == kRunning ? kIdle : kFree, std::memory_order_relaxed);
  }

 private:
  enum State : std::uint32_t { kFree, kIdle, kRunning, kLeaving };

  Poller poller_;
  Atomic<std::int64_t> due_{0};
  Atomic<std::uint32_t> life_{0};  // how many pollers were here
  Atomic<std::uint32_t> state_{kFree};
};

/// The number of the round that a Watch is in, of all teams.
template <template <class> class Atomic = std::atomic>
class WatchRound {
 public:
  /// What there is to watch has grown.
  void begin() {
    // release: a thread that watches in this round sees what began it. 0 stands for no round, once in 4
    // billion.
    if (number_.fetch_add(1, std::memory_order_release) == UINT32_MAX) begin();
  }
  /// acquire: pairs with the release in begin()
  std::uint32_t number() const { return number_.load(std::memory_order_acquire); }

 private:
  Atomic<std::uint32_t> number_{1};
};

/// Which of a team's sleeping threads looks after the pollers, so that the others can sleep as long as they
/// like.
///
/// Words: the *watcher* sleeps only until the next poller is due. A *round* is what it looks after: it ends
/// when a poller comes, because the watcher may sleep for longer than the new one likes, or for good.
/// Invariant: of the threads that sleep in a round one watches in that round or a later one, or has left its
/// watch and not slept since; more than one may for a while.
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
