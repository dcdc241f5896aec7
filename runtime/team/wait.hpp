// How a thread waits: it looks, relaxes, looks again, and in the end sleeps. OMP_WAIT_POLICY and
// HEDDLE_SPIN_US decide how soon.
#pragma once

#include "sys/relax.hpp"

namespace heddle {

/// Counts the looks of one wait and says when to stop spinning.
class Backoff {
 public:
  Backoff();
  /// Relaxes the processor. Returns false when it is time to sleep.
  bool spin() {
    if (looks_ >= limit_) return false;
    ++looks_;
    if ((looks_ & 63) == 0 && is_crowded_)
      yield_cpu();
    else
      cpu_relax();
    return true;
  }
  void reset() { looks_ = 0; }

  /// From now on waiting threads spin about so long, whatever OMP_WAIT_POLICY says; negative: as it says.
  static void set_spin_us(int us);

  /// About how long a wait that begins now would spin.
  static int spin_us();

  /// Tells how many threads of this process want a processor, as regions open and close.
  static void add_threads(int count);
  /// In the child of a fork: the caller is the only thread.
  static void forget_other_threads();

 private:
  int looks_ = 0;
  int limit_;
  bool is_crowded_;  // more threads than processors: spinning steals time from who we wait for
};

/// For waits on another thread's next few instructions.
template <class Done>
void spin_until(Done&& done) {
  for (int i = 0; !done(); ++i) {
    if ((i & 63) == 63)
      yield_cpu();
    else
      cpu_relax();
  }
}

}  // namespace heddle
