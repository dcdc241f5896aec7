// How a thread waits: it looks, relaxes, looks again, and in the end sleeps. OMP_WAIT_POLICY and
// HEDDLE_SPIN_US decide how soon.
#pragma once

#include <cstdint>

#include "sys/relax.hpp"

namespace heddle {

/// Counts the looks of one wait and says when to stop spinning.
///
/// While every thread has a processor to itself a waiting one spins for some time, since being woken takes
/// longer than most waits. It stops early once it finds that the system took its processor away meanwhile:
/// others want it. When the machine is oversubscribed it gives the processor to whoever is ready a few times,
/// and sleeps; where nobody is ready, as the other threads sleep of their own accord, it spins as above.
class Backoff {
 public:
  /// yields_in_a_crowd: how often to give the processor away there before sleep. A few where everybody is
  /// waited for: measured with barriers of 8 threads on 2 processors (bench/sync), none costs five times, 30
  /// cost twice as much. More where it is the turn of one.
  explicit Backoff(int yields_in_a_crowd = 3) : yields_(yields_in_a_crowd), is_crowded_(is_crowded()) {}
  /// Relaxes the processor. Returns false when it is time to sleep.
  /// looks_a_yield: of how many looks in a crowd one gives the processor away; the others only relax it.
  bool spin(int looks_a_yield = 1) {
    if (is_crowded_) {
      if (++crowded_looks_ < (is_unwanted_ ? kLooksBetweenChecks : looks_a_yield)) {
        cpu_relax();
        return true;
      }
      crowded_looks_ = 0;
      return yield();
    }
    cpu_relax();
    return (++looks_ & (kLooksBetweenChecks - 1)) != 0 || may_go_on();
  }
  void reset() {
    looks_ = 0;
    checks_ = 0;
    is_unwanted_ = false;
    started_ns_ = 0;
    is_crowded_ = is_crowded();
  }

  /// Whether there are more threads than processors: spinning steals time from who is waited for.
  static bool is_crowded();

  /// From now on waiting threads spin about so long, whatever OMP_WAIT_POLICY says; negative: as it says.
  static void set_spin_us(int us);

  /// About how long a wait that begins now would spin.
  static int spin_us();

  /// Tells how many threads of this process want a processor: as regions open and close, and while threads
  /// sleep for want of tasks.
  static void add_threads(int count);
  /// In the child of a fork: the caller is the only thread.
  static void forget_other_threads();

 private:
  static constexpr int kLooksBetweenChecks = 64;
  bool may_go_on();
  bool yield();
  bool yield_briefly();
  bool has_kept_processor();
  bool respect_others(std::int64_t now, std::int64_t lost_ns);

  int looks_ = 0;
  int checks_ = 0;
  int crowded_looks_ = 0;
  bool is_unwanted_ = false;  // the last yield found nobody else ready
  int yields_;
  bool is_crowded_;  // as it was when the wait began
  std::int64_t started_ns_ = 0;
  std::int64_t checked_ns_ = 0;
  std::int64_t lost_ns_ = 0;  // in the last yield
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
