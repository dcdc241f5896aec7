// The kernel's futexes in a scenario: threads that sleep on a word until another thread wakes them.
//
// The kernel holds a lock while it compares the word and puts a thread to sleep, and while it looks for
// threads to wake: here each is a change of one location, the set of threads that are asleep. A thread that
// is in the set and finds that the word differs was never asleep: it hands on a wake-up that it was given
// meanwhile.
#pragma once

#include <array>
#include <cstdint>

#include "support/executions.hpp"

namespace heddle::test {

/// Parking's way to sleep, with fewer events: a place has one sleeper, which goes on by itself where its word
/// changes.
struct ExploredSleep {
  static constexpr int kLooksBeforeWaking = 0;
  static void wait(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected) {
    word.await([expected](std::uint32_t value) { return value != expected; });
  }
  // Its time is over at once.
  static void wait_briefly(const ExploredAtomic<std::uint32_t>&, std::uint32_t, std::int64_t) {}
  static void wake(const ExploredAtomic<std::uint32_t>&) {}
};

/// Those of one scenario: lives in what its threads share. Of several sleepers the first by number is woken
/// first.
class ExploredFutexes {
 public:
  ExploredFutexes() { g_here = this; }
  ~ExploredFutexes() {
    if (g_here == this) g_here = nullptr;
  }
  ExploredFutexes(const ExploredFutexes&) = delete;
  ExploredFutexes& operator=(const ExploredFutexes&) = delete;

  static void wait(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t key = 0) {
    g_here->sleep(word, expected, key);
  }
  static void wake(const ExploredAtomic<std::uint32_t>& word, int most = Explorer::kMostThreads,
                   std::uint64_t key = 0) {
    g_here->wake_some({&word, key}, most);
  }

 private:
  using Threads = std::uint32_t;  // a bit for each
  struct Slept {
    const void* word = nullptr;
    std::uint64_t key = 0;
    bool operator==(const Slept&) const = default;
  };

  void sleep(const ExploredAtomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t key) {
    const auto me = static_cast<std::size_t>(Explorer::this_thread());
    const Threads bit = Threads{1} << me;
    slept_[me] = {&word, key};
    asleep_.fetch_or(bit, std::memory_order_acq_rel);
    if (word.load(std::memory_order_relaxed) == expected) {
      asleep_.await([bit](Threads asleep) { return (asleep & bit) == 0; });
      return;
    }
    if ((asleep_.fetch_and(~bit, std::memory_order_acq_rel) & bit) == 0) wake_some({&word, key}, 1);
  }

  void wake_some(const Slept& wanted, int most) {
    asleep_.change(
        [this, wanted, most](Threads asleep) {
          int left = most;
          for (std::size_t i = 0; i < slept_.size() && left > 0; ++i)
            if ((asleep & Threads{1} << i) != 0 && slept_[i] == wanted) {
              asleep &= ~(Threads{1} << i);
              --left;
            }
          return asleep;
        },
        std::memory_order_acq_rel);
  }

  static inline ExploredFutexes* g_here = nullptr;
  ExploredAtomic<Threads> asleep_{0};
  std::array<Slept, Explorer::kMostThreads> slept_{};  // on what, while a thread is asleep
};

}  // namespace heddle::test
