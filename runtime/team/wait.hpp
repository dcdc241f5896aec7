// How a thread waits: it looks, relaxes, looks again, and in the end sleeps. OMP_WAIT_POLICY and
// HEDDLE_SPIN_US decide how soon.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "sys/processor.hpp"
#include "team/team.hpp"

namespace heddle {

/// Counts the looks of one wait and says when to stop spinning.
///
/// While every thread has a processor to itself a waiting one spins for some time, since being woken takes
/// longer than most waits. It stops early once it finds that the system took its processor away meanwhile:
/// others want it. When the machine is oversubscribed it gives the processor to the thread that is ready a
/// few times, and sleeps; where nobody is ready, as the other threads sleep of their own accord, it spins as
/// above.
class Backoff {
 public:
  /// yields_if_oversubscribed: how often to give the processor away there before sleep. A few where everybody
  /// is waited for: measured with barriers of 8 threads on 2 processors (bench/kernels/sync), none costs five
  /// times, 30 cost twice as much. More where it is the turn of one.
  explicit Backoff(int yields_if_oversubscribed = 3)
      : yields_(yields_if_oversubscribed), is_oversubscribed_(is_oversubscribed()) {}
  /// Relaxes the processor. Returns false when it is time to sleep.
  /// looks_a_yield: when the machine is oversubscribed, one of so many looks gives the processor away; the
  /// others only relax it.
  bool spin(int looks_a_yield = 1) {
    if (is_oversubscribed_) {
      if (++oversubscribed_looks_ < (is_unwanted_ ? kLooksBetweenChecks : looks_a_yield)) {
        cpu_relax();
        return true;
      }
      oversubscribed_looks_ = 0;
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
    is_oversubscribed_ = is_oversubscribed();
  }

  /// Whether there are more threads than processors: spinning steals time from one that is waited for.
  static bool is_oversubscribed();

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
  void back_off(std::int64_t now, std::int64_t lost_ns);

  int looks_ = 0;
  int checks_ = 0;
  int oversubscribed_looks_ = 0;
  bool is_unwanted_ = false;  // the last yield found nobody else ready
  int yields_;
  bool is_oversubscribed_;  // as it was when the wait began
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

/// The same on one of a structure's atomics: loads it with that order until is_enough() holds for its value.
inline constexpr auto kSpinOn = [](const auto& word, auto&& is_enough, std::memory_order order) {
  spin_until([&] { return is_enough(word.load(order)); });
};

// A wait that stays on its thread, which executes tasks on top of it meanwhile: for reports.
//
// Words: see report/watchdog.hpp. Invariant: a place lists its waits that have begun and not ended, those of
// contexts that were left included; nothing is decided by the list. It exists without the watchdog, too:
// a thread that waits has time for it.

/// Lies on the stack of the thread that waits. Threads: that of the place.
class WaitInPlace {
 public:
  WaitInPlace(Member& me, WaitsFor why, const void* what)
      : reason(why), object(what), task(me.context.task), stack(me.context.stack), place_(me) {
    next_ = me.waits;
    if (next_ != nullptr) next_->previous_ = this;
    me.waits = this;  // seen in visit_waits()
  }
  ~WaitInPlace() {
    if (next_ != nullptr) next_->previous_ = previous_;
    if (previous_ != nullptr)
      previous_->next_ = next_;
    else
      place_.waits = next_;
  }
  WaitInPlace(const WaitInPlace&) = delete;
  WaitInPlace& operator=(const WaitInPlace&) = delete;

  /// Whether what the place executes now stands on the same stack.
  bool is_in_this_context() const { return stack == place_.context.stack && task == place_.context.task; }

  const WaitInPlace* older() const { return next_; }

  const WaitsFor reason;
  const void* const object;  // the lock, the group, …
  const Task* const task;    // that waits
  FiberStack* const stack;   // nullptr: the thread's own
  Trace trace;               // once it sleeps, while the watchdog is on

 private:
  Member& place_;
  WaitInPlace* next_ = nullptr;
  WaitInPlace* previous_ = nullptr;
};

/// Calls visit(wait) for the waits of a place, the newest first. For reports: exact while nothing progresses.
template <class Visit>
void visit_waits(const Member& place, Visit&& visit) {
  constexpr int kMost = 10'000;  // the list may change meanwhile
  const WaitInPlace* wait = place.waits.seen();
  for (int i = 0; wait != nullptr && i < kMost; ++i, wait = wait->older()) visit(*wait);
}

// Counts a waiting member among those that search for work (sync/parking.hpp).

/// The last to cease searching wakes one of the members of the team's region for what else is ready.
inline void look_for_more(Team& team, int members) {
  team.parking.look_for_more(members,
                             [&] { return team.order != nullptr || !team.ready.looks_empty(members); });
}

/// The caller has left its watch over the pollers (sched/pollers.hpp) and goes on to something else: another
/// sleeper may watch.
inline void hand_watch_on(Member& me) {
  if (std::exchange(me.has_left_watch, false)) [[unlikely]]
    me.team->parking.wake_one(me.team->places);  // the caller may have no part in what the team executes now
}

class Searching {
 public:
  explicit Searching(Member& me) : me_(me) {}
  ~Searching() { found(); }
  Searching(const Searching&) = delete;
  Searching& operator=(const Searching&) = delete;

  /// The member has found nothing, and goes on looking.
  /// Cost: little where nobody sleeps: only sleepers could be woken too often.
  void begin() {
    if (is_counted_ || me_.team->parking.announced() == 0) return;
    me_.team->parking.begin_search();
    is_counted_ = true;
  }

  /// The member goes on to something else.
  void found() {
    leave_to_others();
    hand_watch_on(me_);
  }

  /// The member goes on looking, and has left tasks that it may not start: another is to search for those.
  // In the region that is open: the member may still be about to leave the one before.
  void leave_to_others() {
    if (std::exchange(is_counted_, false)) was_last_ = me_.team->parking.end_search();
    if (std::exchange(was_last_, false))
      look_for_more(*me_.team, RegionOpening<>::size_of(me_.team->opening.last_to_search_for()));
  }

  /// The member is about to announce itself, look once more, and sleep.
  void pause() {
    if (std::exchange(is_counted_, false)) was_last_ = me_.team->parking.end_search();
  }

  /// It has slept, or withdrawn; searches: what that said.
  void resume(bool searches) {
    is_counted_ = searches;
    if (searches) was_last_ = false;
  }
  void has_slept(bool searches) {
    is_counted_ = searches;
    was_last_ = false;
  }

 private:
  Member& me_;
  bool is_counted_ = false;
  bool was_last_ = false;  // when it ceased to search
};

// Waiting inside a construct for another thread of the team, without executing tasks meanwhile: the construct
// is no task scheduling point.

/// Returns once done() holds. Requires: the thread that makes it true calls team.gate.announce(key)
/// afterwards.
template <class Done>
void wait_at_gate(Team& team, std::uint64_t key, Done&& done) {
  constexpr int kYieldsIfOversubscribed =
      50;  // measured with 8 threads on 2 processors: bench/kernels/sync, ordered
  Backoff backoff(kYieldsIfOversubscribed);
  while (!done()) {
    if (backoff.spin()) continue;
    const std::uint32_t ticket = team.gate.prepare();
    if (done()) {
      team.gate.cancel();
      return;
    }
    team.gate.wait(ticket, key);
  }
}

}  // namespace heddle
