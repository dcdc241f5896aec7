// What decides that a team passes a barrier: that all its members are there, and that its tasks are
// complete.
//
// One word holds the number of barriers passed and of members that are at the next. A member that finds all
// the others there and the team quiescent moves it on, which exactly one can do. Nothing says that the last
// task is complete: the thread that completes it is in the barrier too and looks next.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// Explicit tasks that a member has created, and that it has completed, since its team was made.
///
/// A task is counted as created before it can run, and as finished after everything that its completion
/// touches.
template <template <class> class Atomic = std::atomic>
class TaskCounts {
 public:
  // Threads: the member's.
  void add_created(std::uint64_t count) {
    created_.store(created_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
  void add_finished(std::uint64_t count) {
    // release: pairs with the acquire in finished()
    finished_.store(finished_.load(std::memory_order_relaxed) + count, std::memory_order_release);
  }

  // Threads: any. What is read of the created after the finished covers each task that those finished.
  std::uint64_t finished() const { return finished_.load(std::memory_order_acquire); }
  std::uint64_t created() const { return created_.load(std::memory_order_relaxed); }

 private:
  Atomic<std::uint64_t> created_{0};
  Atomic<std::uint64_t> finished_{0};
};

/// Those of the team's tasks that threads outside it complete: of another team, or no team's.
template <template <class> class Atomic = std::atomic>
class OutsideCount {
 public:
  // Threads: any.
  void add(std::uint64_t count) {
    finished_.fetch_add(count, std::memory_order_release);  // release: pairs with the acquire in finished()
  }
  std::uint64_t finished() const { return finished_.load(std::memory_order_acquire); }

 private:
  Atomic<std::uint64_t> finished_{0};
};

template <template <class> class Atomic = std::atomic>
class BarrierWord {
 public:
  /// What a member knows of the barrier that it has come to.
  struct Arrival {
    std::uint64_t passed = 0;  // barriers, in the word's upper half
    int others = 0;            // that were there before it
  };

  Arrival arrive() {
    const std::uint64_t before = word_.fetch_add(1, std::memory_order_release);
    return {before & ~kPresentMask, static_cast<int>(before & kPresentMask)};
  }

  /// Passes the barrier for all where `size` members are there and are_complete(), which says whether the
  /// team's tasks are. Returns whether it did; one member does.
  /// Ordering: all that members did before they came is visible to the one that passes, and through the
  /// word to all.
  template <class AreComplete>
  bool try_pass(const Arrival& arrival, int size, AreComplete&& are_complete) {
    std::uint64_t everybody = arrival.passed + static_cast<std::uint64_t>(size);
    if (word_.load(std::memory_order_acquire) != everybody || !are_complete()) return false;
    return word_.compare_exchange_strong(everybody, arrival.passed + kPassed, std::memory_order_release,
                                         std::memory_order_relaxed);
  }

  /// acquire: pairs with the exchange in try_pass()
  bool is_passed(const Arrival& arrival) const {
    return (word_.load(std::memory_order_acquire) & ~kPresentMask) != arrival.passed;
  }

  /// A number that changes with every arrival. Threads: any.
  std::uint64_t progress() const { return word_.load(std::memory_order_relaxed); }

  /// Requires: no other thread knows the team.
  void reset() { word_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t kPresentMask = 0xffffffffu;
  static constexpr std::uint64_t kPassed = kPresentMask + 1;
  Atomic<std::uint64_t> word_{0};
};

}  // namespace heddle
