// How many requests are outstanding, and whether somebody polls: looks at them again and again.
//
// Invariant: where a request is outstanding and nobody polls, the thread that has added it is about to see to
// that. The two look at each other's word after they have written their own, so that one of them at least
// sees the other.
#pragma once

#include <atomic>

namespace heddle::mpi {

template <template <class> class Atomic = std::atomic>
class Outstanding {
 public:
  /// One more; it can be found already. The caller then sees to it that somebody polls.
  void add_one() {
    count_.fetch_add(1, std::memory_order_seq_cst);  // seq_cst: pairs with the look in end_polling()
  }
  /// So many less.
  void remove(int some) { count_.fetch_sub(some, std::memory_order_relaxed); }
  /// Threads: any; a snapshot.
  [[nodiscard]] int count() const { return count_.load(std::memory_order_relaxed); }

  /// Whether somebody polls who will see what the caller has added.
  [[nodiscard]] bool is_polled() const {
    return is_polled_.load(std::memory_order_seq_cst);  // seq_cst: pairs with the store in end_polling()
  }

  // What follows is called under one lock, the caller's.

  void begin_polling() { is_polled_.store(true, std::memory_order_relaxed); }
  /// Nobody polls any more, if none is outstanding. Returns whether that is so.
  bool end_polling() {
    is_polled_.store(false, std::memory_order_seq_cst);
    if (count_.load(std::memory_order_seq_cst) == 0) return true;
    begin_polling();  // for one that was added by a thread that saw the poller
    return false;
  }

 private:
  Atomic<int> count_{0};
  Atomic<bool> is_polled_{false};
};

}  // namespace heddle::mpi
