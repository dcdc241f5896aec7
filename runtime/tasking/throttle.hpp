// How far producers may run ahead of those that execute their tasks (HEDDLE_THROTTLE, heddle_set_throttle()).
//
// Words: a producer that has too many tasks *queued* executes the next one itself, at its creation; one whose
// incomplete tasks take too much *memory* executes others, or waits while others get on. Invariant: neither
// ends a program's progress: a producer that would wait while nobody gets on goes on producing.
#pragma once

#include "sched/throttle.hpp"

namespace heddle {

/// What the environment says.
Throttle initial_throttle();

void set_throttle(const Throttle& wanted);

/// What holds now: read at every creation of a task.
extern CurrentThrottle g_throttle;

struct Member;

/// Called by a producer whose tasks take more than me.hold_at bytes.
void hold_back(Member& me);

}  // namespace heddle
