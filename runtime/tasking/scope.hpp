// Which tasks a member may start while it does something (sched/start_rule.hpp).
#pragma once

#include <utility>

#include "team/team.hpp"

namespace heddle {

/// While it exists the member's current task is suspended: what may be started is constrained by it.
class Suspended {
 public:
  explicit Suspended(Member& me)
      : me_(me),
        constraint_(std::exchange(me.constraint, me.current)),
        wanted_(std::exchange(me.wanted, nullptr)) {}
  /// In a wait for just this, which is for latency where the task's environment says so.
  Suspended(Member& me, const Wanted& wanted) : Suspended(me) {
    if (me.current->environment->waits_for_latency) me.wanted = &wanted;
  }
  ~Suspended() {
    me_.constraint = constraint_;
    me_.wanted = wanted_;
  }
  Suspended(const Suspended&) = delete;
  Suspended& operator=(const Suspended&) = delete;

 private:
  Member& me_;
  Task* constraint_;
  const Wanted* wanted_;
};

/// While it exists nothing constrains what the member may start: tasks suspended in a barrier do not (OpenMP
/// 5.2, section 12.9).
class Unconstrained {
 public:
  explicit Unconstrained(Member& me)
      : me_(me),
        constraint_(std::exchange(me.constraint, nullptr)),
        wanted_(std::exchange(me.wanted, nullptr)) {}
  ~Unconstrained() {
    me_.constraint = constraint_;
    me_.wanted = wanted_;
  }
  Unconstrained(const Unconstrained&) = delete;
  Unconstrained& operator=(const Unconstrained&) = delete;

 private:
  Member& me_;
  Task* constraint_;
  const Wanted* wanted_;
};

}  // namespace heddle
