// Which comes first of the ends of a detachable task, for a tool: its body returns, or its event is
// fulfilled.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

template <template <class> class Atomic = std::atomic>
class FirstEnd {
 public:
  /// The body returns, and the tool is about to be called for that. Returns whether it comes first: then
  /// has_returned() follows.
  bool returns() {
    std::uint8_t nothing = kNothing;
    return end_.compare_exchange_strong(nothing, kReturns, std::memory_order_relaxed,
                                        std::memory_order_relaxed);
  }
  /// The tool has been called.
  void has_returned() {
    end_.store(kReturned, std::memory_order_release);  // release: pairs with the acquire in fulfilled()
  }
  /// The event is fulfilled. Returns whether that comes first; if not, once the tool has been called for the
  /// body. wait(word, is_over, order) returns once is_over() holds for what is loaded with that order.
  template <class Wait>
  bool fulfilled(Wait&& wait) {
    std::uint8_t nothing = kNothing;
    if (end_.compare_exchange_strong(nothing, kFulfilled, std::memory_order_relaxed,
                                     std::memory_order_relaxed))
      return true;
    wait(end_, [](std::uint8_t end) { return end != kReturns; }, std::memory_order_acquire);
    return false;
  }

 private:
  static constexpr std::uint8_t kNothing = 0, kReturned = 1, kFulfilled = 2, kReturns = 3;
  Atomic<std::uint8_t> end_{kNothing};
};

}  // namespace heddle
