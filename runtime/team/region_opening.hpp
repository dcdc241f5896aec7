// How the workers of a team learn that its primary thread has opened a region, and when they are dismissed.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// One word: how often the team was opened, and for how many members. Everything that a region needs is
/// written by the primary thread before it opens the region, and read by the others after they see it open.
template <template <class> class Atomic = std::atomic>
class RegionOpening {
 public:
  /// An opening as a member has seen it: no two in a row are the same.
  using Seen = std::uint32_t;

  // -- the primary thread's

  /// Opens a region for so many members; for none, it dismisses the workers. release: pairs with the acquire
  /// in seen()
  void open(int size) {
    const std::uint32_t epoch = (word_.load(std::memory_order_relaxed) >> kSizeBits) + 1;
    word_.store(epoch << kSizeBits | static_cast<std::uint32_t>(size), std::memory_order_release);
  }
  /// Makes it this one. Requires: no other thread knows the team.
  void restart(Seen opening) { word_.store(opening, std::memory_order_relaxed); }

  // -- any thread's

  /// Whether it was opened since. A thread that announces its sleep asks after that, as Parking wants it.
  bool is_new_to(Seen seen) const { return last() != seen; }
  /// Ordering: what the region needs is visible.
  Seen seen() const { return word_.load(std::memory_order_acquire); }
  /// The same without that. A thread that knows of anything in a region sees that one, or a later one.
  Seen last() const { return word_.load(std::memory_order_relaxed); }

  static int size_of(Seen opening) { return static_cast<int>(opening & kSizeMask); }

 private:
  static constexpr int kSizeBits = 13;
  static constexpr std::uint32_t kSizeMask = (1u << kSizeBits) - 1;
  Atomic<std::uint32_t> word_{0};
};

/// Threads that may still touch what one other thread is about to end.
template <template <class> class Atomic = std::atomic>
class ThreadsInside {
 public:
  /// Requires: what is about to end cannot end yet for another reason, or the caller is the one that ends it.
  void enter(int count = 1) { count_.fetch_add(count, std::memory_order_relaxed); }
  /// The object may be gone when this returns.
  void leave() { count_.fetch_sub(1, std::memory_order_release); }
  /// acquire: pairs with the release in leave()
  bool are_gone() const { return count_.load(std::memory_order_acquire) == 0; }
  /// Requires: no other thread is there.
  void forget() { count_.store(0, std::memory_order_relaxed); }

 private:
  Atomic<int> count_{0};
};

}  // namespace heddle
