// How long a task stays in memory, and what may be counted of it until then: two words that any thread
// changes.
//
// Words: see task/task.hpp, for complete, retained and owner. A *waiter* is a thread's number in its team; it
// stands in the same word as the count that it waits for, so that the thread that brings the count to zero
// learns in one atomic step which thread to wake, and need not touch the counted object again.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// A count of things outstanding, and at most one thread that waits for it to reach zero.
template <template <class> class Atomic = std::atomic>
class WaitCount {
 public:
  static constexpr int kNobody = -1;

  /// Threads: any that keeps the object alive.
  void add(std::uint32_t count = 1) { word_.fetch_add(count, std::memory_order_relaxed); }

  /// Takes some off. Returns the waiter's number where this brought the count to zero and somebody waits,
  /// else kNobody. Ordering: what happened before is visible to the thread that sees is_zero(). The object
  /// may be gone when this returns.
  int done(std::uint32_t count = 1) {
    const std::uint64_t before = word_.fetch_sub(count, std::memory_order_acq_rel);
    if ((before & kCountMask) == count && (before & kHasWaiter) != 0)
      return static_cast<int>(before >> kWaiterShift);
    return kNobody;
  }

  /// acquire: pairs with the release in done()
  bool is_zero() const { return (word_.load(std::memory_order_acquire) & kCountMask) == 0; }

  /// Registers the calling thread; done() may return its number from now on. Returns whether it will: the
  /// count is not zero.
  bool begin_wait(int waiter) {
    const std::uint64_t mark = kHasWaiter | static_cast<std::uint64_t>(waiter) << kWaiterShift;
    return (word_.fetch_add(mark, std::memory_order_acq_rel) & kCountMask) != 0;
  }
  void end_wait(int waiter) {
    word_.fetch_sub(kHasWaiter | static_cast<std::uint64_t>(waiter) << kWaiterShift,
                    std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kCountMask = 0xffffffffu;
  static constexpr std::uint64_t kHasWaiter = std::uint64_t{1} << 32;
  static constexpr int kWaiterShift = 40;
  Atomic<std::uint64_t> word_{0};
};

/// Of a task: whether it is complete, how many of its children are, and what else still needs its memory.
///
/// The owner counts the children that it creates and completes in a field of its own, `out`: created less
/// completed. The word has a bias, less the children that other threads have completed. Invariant: the thread
/// that brings the word to zero releases the memory: the task is complete, no child is incomplete, nothing
/// refers to it.
template <template <class> class Atomic = std::atomic>
class Lifetime {
 public:
  static constexpr int kNobody = -1;
  static constexpr std::uint32_t kBias = 1u << 27;

  // -- children: called by the thread that runs the task

  /// The count of children that other threads have completed, since the last rebase.
  std::int32_t completed_by_others() const {
    return static_cast<std::int32_t>(
        std::int64_t{kBias} - static_cast<std::int64_t>(word_.load(std::memory_order_relaxed) & kCountMask));
  }
  /// Lets that count start again, which was `completed` at least; the owner's goes down by as much.
  void rebase(std::int32_t completed) {
    word_.fetch_add(static_cast<std::uint64_t>(std::int64_t{completed}), std::memory_order_relaxed);
  }
  /// A child was created by another thread than the owner. Requires: a child is incomplete, or the body runs.
  /// Threads: any.
  void child_created() { word_.fetch_add(1, std::memory_order_relaxed); }

  /// acquire: pairs with the release in children_completed()
  bool children_complete(std::int32_t out) const {
    return (word_.load(std::memory_order_acquire) & kCountMask) == not_by_others(out);
  }

  /// Turns the count into "children outstanding", to be brought to zero by the last child, which then learns
  /// `waiter`. No child may be created or completed by the owner before end_child_wait().
  /// Returns whether there is such a child: where there is none, nobody learns anything.
  bool begin_child_wait(std::int32_t out, int waiter) {
    const std::uint64_t less = turned(out, waiter);
    return ((word_.fetch_sub(less, std::memory_order_acq_rel) - less) & kCountMask) != 0;
  }
  bool waited_children_complete() const { return (word_.load(std::memory_order_acquire) & kCountMask) == 0; }
  void end_child_wait(std::int32_t out, int waiter) {
    word_.fetch_add(turned(out, waiter), std::memory_order_relaxed);
  }

  // -- lifetime: each returns true where the caller must release the memory

  /// `count` children are complete. `*wake` becomes the number of the thread that sleeps until just this, or
  /// kNobody. Threads: any but the owner's.
  bool children_completed(std::uint32_t count, int* wake) {
    const std::uint64_t after = word_.fetch_sub(count, std::memory_order_acq_rel) - count;
    *wake = (after & kHasWaiter) != 0 && (after & kCountMask) == 0
                ? static_cast<int>(after >> kWaiterShift & kWaiterMask)
                : kNobody;
    return after == 0;
  }

  /// Nobody has counted anything. Requires: the body has returned, and out is zero.
  bool is_initial() const { return word_.load(std::memory_order_acquire) == kInitial; }

  /// Makes it so again, where the body has returned and all children are complete. Returns false where
  /// something goes on. Threads: the one that ran the body.
  bool become_initial(std::int32_t out) {
    if (word_.load(std::memory_order_acquire) != kBody + not_by_others(out)) return false;
    // Nobody but this thread knows the task any more.
    word_.store(kInitial, std::memory_order_relaxed);
    return true;
  }

  /// Descendants outlive the task; exact only once the body has returned.
  bool has_incomplete_descendants(std::int32_t out) const {
    const std::uint64_t state = word_.load(std::memory_order_acquire);
    return (state & kCountMask) != not_by_others(out) || (state & kImmortal) != 0 || state >= kRetained;
  }

  /// The task is complete.
  bool completed(std::int32_t out) {
    const std::uint64_t drop = kBody + not_by_others(out);
    return word_.fetch_sub(drop, std::memory_order_acq_rel) == drop;
  }
  bool is_complete() const { return (word_.load(std::memory_order_relaxed) & kBody) == 0; }

  /// A complete child has incomplete children. Returns false where 131,000 tasks keep this one already: it
  /// then stays for good, and need not be dropped.
  bool retain() {
    if (word_.load(std::memory_order_relaxed) / kRetained < kMaxKept) {
      word_.fetch_add(kRetained, std::memory_order_relaxed);
      return true;
    }
    word_.fetch_or(kImmortal, std::memory_order_relaxed);
    return false;
  }
  bool drop_retained() { return word_.fetch_sub(kRetained, std::memory_order_acq_rel) == kRetained; }

  /// A reference that is not counted otherwise: of a dependence table, from before close(kHolds) on; a handle
  /// of the program; a queue that may hold the task after it was started. At most 7.
  void add_reference() { word_.fetch_add(kReference, std::memory_order_relaxed); }
  bool drop_reference() { return word_.fetch_sub(kReference, std::memory_order_acq_rel) == kReference; }

 private:
  static constexpr std::uint64_t kCountMask = 2 * std::uint64_t{kBias} - 1;  // bits 0-27
  static constexpr std::uint64_t kBody = std::uint64_t{1} << 28;
  static constexpr std::uint64_t kHasWaiter = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kImmortal = std::uint64_t{1} << 31;
  static constexpr int kWaiterShift = 32;  // bits 32-43: the waiter's number in the team
  static constexpr std::uint64_t kWaiterMask = 0xfff;
  static constexpr std::uint64_t kReference = std::uint64_t{1} << 44;  // bits 44-46
  // bits 47-63: complete children with incomplete ones
  static constexpr std::uint64_t kRetained = std::uint64_t{1} << 47;
  static constexpr std::uint64_t kMaxKept = (std::uint64_t{1} << 17) - 2;
  static constexpr std::uint64_t kInitial = kBody | kBias;

  // The count where others have completed just those children that the owner counts.
  static std::uint64_t not_by_others(std::int32_t out) {
    return kBias - static_cast<std::uint64_t>(std::int64_t{out});
  }
  static std::uint64_t turned(std::int32_t out, int waiter) {
    return not_by_others(out) - kHasWaiter - (static_cast<std::uint64_t>(waiter) << kWaiterShift);
  }

  Atomic<std::uint64_t> word_{kInitial};
};

}  // namespace heddle
