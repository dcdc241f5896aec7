// A count of things outstanding, and at most one thread that waits for it to reach zero.
//
// Words: the *waiter* is a thread's number in its team; it stands in the same word as the count, so that who
// brings the count to zero learns in one atomic step whom to wake and need not touch the counted object
// again.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

class WaitCount {
 public:
  static constexpr int kNobody = -1;

  /// Threads: any that keeps the object alive.
  void add(std::uint32_t count = 1) { word_.fetch_add(count, std::memory_order_relaxed); }

  /// Takes some off. Returns the waiter's number where this brought the count to zero and somebody waits,
  /// else kNobody. Ordering: what happened before is visible to who sees is_zero(). The object may be gone
  /// when this returns.
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
  bool begin_wait(int who) {
    const std::uint64_t mark = kHasWaiter | static_cast<std::uint64_t>(who) << kWaiterShift;
    return (word_.fetch_add(mark, std::memory_order_seq_cst) & kCountMask) != 0;
  }
  void end_wait(int who) {
    word_.fetch_sub(kHasWaiter | static_cast<std::uint64_t>(who) << kWaiterShift, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kCountMask = 0xffffffffu;
  static constexpr std::uint64_t kHasWaiter = std::uint64_t{1} << 32;
  static constexpr int kWaiterShift = 40;
  std::atomic<std::uint64_t> word_{0};
};

}  // namespace heddle
