// What passes between a thread that asks another where it is and that one's signal handler.
#pragma once

#include <atomic>

namespace heddle {

/// One question at a time. Words: the *answer* is data that the asked thread writes.
template <template <class> class Atomic = std::atomic>
class Question {
 public:
  // -- the thread that asks

  void ask(long thread) {
    answered_.store(false, std::memory_order_relaxed);
    asked_.store(thread, std::memory_order_release);  // release: pairs with the acquire in answer()
  }
  /// Ordering: the answer is visible then.
  bool is_answered() const { return answered_.load(std::memory_order_acquire); }
  /// Takes the question back. Returns false where the thread has begun to answer: then it is soon done.
  bool take_back(long thread) {
    return asked_.compare_exchange_strong(thread, kNobody, std::memory_order_relaxed,
                                          std::memory_order_relaxed);
  }
  /// After the answer, or where the thread cannot be asked.
  void end() { asked_.store(kNobody, std::memory_order_relaxed); }

  // -- the thread that is asked, in its handler

  /// write() answers, if it is this thread that is asked.
  template <class Write>
  void answer(long thread, Write&& write) {
    if (!asked_.compare_exchange_strong(thread, kAnswering, std::memory_order_acquire,
                                        std::memory_order_relaxed))
      return;
    write();
    answered_.store(true, std::memory_order_release);  // release: pairs with the acquire in is_answered()
  }

 private:
  static constexpr long kNobody = 0, kAnswering = -1;
  Atomic<long> asked_{kNobody};
  Atomic<bool> answered_{false};
};

}  // namespace heddle
