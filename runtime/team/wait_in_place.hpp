// A wait that stays on its thread, which executes tasks on top of it meanwhile: for reports.
//
// Words: see report/watchdog.hpp. Invariant: a place lists its waits that have begun and not ended, those of
// contexts that were left included; nothing is decided by the list. It is kept without the watchdog, too: who
// waits has time for it.
#pragma once

#include <atomic>

#include "team/team.hpp"

namespace heddle {

/// Lies on the stack of who waits. Threads: that of the place.
class WaitInPlace {
 public:
  WaitInPlace(Member& me, WaitsFor why, const void* what)
      : reason(why), object(what), task(me.context.task), stack(me.context.stack), place_(me) {
    next_ = me.waits.load(std::memory_order_relaxed);
    if (next_ != nullptr) next_->previous_ = this;
    me.waits.store(this, std::memory_order_release);  // pairs with the acquire in visit_waits()
  }
  ~WaitInPlace() {
    if (next_ != nullptr) next_->previous_ = previous_;
    if (previous_ != nullptr)
      previous_->next_ = next_;
    else
      place_.waits.store(next_, std::memory_order_release);
  }
  WaitInPlace(const WaitInPlace&) = delete;
  WaitInPlace& operator=(const WaitInPlace&) = delete;

  /// Whether what the place executes now stands on the same stack.
  bool is_in_this_context() const { return stack == place_.context.stack && task == place_.context.task; }

  const WaitInPlace* older() const { return next_; }

  const WaitsFor reason;
  const void* const object;  // the lock, the group, …
  const Task* const task;    // who waits
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
  const WaitInPlace* wait = place.waits.load(std::memory_order_acquire);
  for (int i = 0; wait != nullptr && i < kMost; ++i, wait = wait->older()) visit(*wait);
}

}  // namespace heddle
