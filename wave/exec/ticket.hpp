// What is known of one enclave patch in one step: whether somebody computes it, has done so, or waits for it.
//
// Words: to *claim* a patch is to become the one who computes it.
//
// Invariant: idle of a step -> open -> claimed -> done, where a waiter may come between the last two. A patch
// is claimed once a step; a claim for a step that has passed fails, so that a task whose patch somebody else
// has computed may come late. What happened before finish() is visible after is_done() or a wait.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle::wave {

class Ticket {
 public:
  /// Somebody may claim it from now on. Requires: the step before is done.
  void open(int step) { word_.store(of(step, kOpen), std::memory_order_release); }
  /// Ordering: acquire, pairs with the release in open(): who claims sees what was written before.
  bool claim(int step) {
    std::uint64_t expected = of(step, kOpen);
    return word_.compare_exchange_strong(expected, of(step, kClaimed), std::memory_order_acquire);
  }
  /// Requires: the caller has claimed it. Returns the event to fulfil, if somebody waits; else 0.
  /// Ordering: release, pairs with is_done(); acquire, pairs with wait_by(), which wrote the event.
  [[nodiscard]] std::uint64_t finish(int step) {
    const std::uint64_t before = word_.exchange(of(step, kDone), std::memory_order_acq_rel);
    return (before & kStates) == kAwaited ? event_ : 0;
  }
  [[nodiscard]] bool is_done(int step) const {
    return word_.load(std::memory_order_acquire) == of(step, kDone);
  }
  /// The event is fulfilled by who finishes, if true is returned; false where the patch is done already.
  /// Requires: it is claimed; nobody else waits.
  bool wait_by(int step, std::uint64_t event) {
    event_ = event;
    std::uint64_t expected = of(step, kClaimed);
    // release: pairs with the exchange in finish(); acquire, where it fails, with the same exchange.
    return word_.compare_exchange_strong(expected, of(step, kAwaited), std::memory_order_acq_rel);
  }

 private:
  static constexpr std::uint64_t kOpen = 0, kClaimed = 1, kAwaited = 2, kDone = 3, kStates = 3;

  static std::uint64_t of(int step, std::uint64_t state) {
    return (static_cast<std::uint64_t>(step) + 1) * 4 + state;
  }

  std::atomic<std::uint64_t> word_{0};
  std::uint64_t event_ = 0;
};

}  // namespace heddle::wave
