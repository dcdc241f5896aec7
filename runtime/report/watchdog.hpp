// The watchdog: tells what everybody waits for when nothing has progressed for some time (HEDDLE_WATCHDOG).
//
// Words: *progress* is a task created or complete, a barrier passed, a suspended task gone on. While the
// watchdog is on, a thread or task that waits leaves a *trace* of where, and locks and detached tasks are
// recorded (report/wait_records.hpp). Invariant: what is recorded is a report's alone; nothing is
// decided by it.
#pragma once

namespace heddle {

/// Starts it where HEDDLE_WATCHDOG asks for it.
void start_watchdog();

}  // namespace heddle
