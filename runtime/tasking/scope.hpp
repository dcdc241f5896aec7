// Which tasks a member may start while it does something (sched/start_rule.hpp).
#pragma once

#include <utility>

#include "team/team.hpp"

namespace heddle {

/// While it exists the member may start what these say. Its two uses follow.
class StartScope {
 public:
  StartScope(const StartScope&) = delete;
  StartScope& operator=(const StartScope&) = delete;

 protected:
  StartScope(Member& me, Task* constraint, const Wanted* wanted)
      : me_(me),
        constraint_(std::exchange(me.constraint, constraint)),
        wanted_(std::exchange(me.wanted, wanted)) {}
  ~StartScope() {
    me_.constraint = constraint_;
    me_.wanted = wanted_;
  }

 private:
  Member& me_;
  Task* constraint_;
  const Wanted* wanted_;
};

/// The member's current task is suspended: what may be started is constrained by it.
class Suspended : StartScope {
 public:
  explicit Suspended(Member& me) : StartScope(me, me.current, nullptr) {}
  /// In a wait for just this, which is for latency where the task's environment says so.
  Suspended(Member& me, const Wanted& wanted)
      : StartScope(me, me.current, me.current->environment->waits_for_latency ? &wanted : nullptr) {}
};

/// Nothing constrains what the member may start: tasks suspended in a barrier do not (OpenMP 5.2,
/// section 12.9).
class Unconstrained : StartScope {
 public:
  explicit Unconstrained(Member& me) : StartScope(me, nullptr, nullptr) {}
};

}  // namespace heddle
