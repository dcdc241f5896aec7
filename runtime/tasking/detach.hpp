// Tasks whose completion waits for more than their body: for the event of a detach clause (OpenMP 5.2,
// section 18.11.1), or for events of libraries beside OpenMP, which may block a task as well.
#pragma once

#include <cstdint>

#include "task/external_state.hpp"
#include "task/task.hpp"

namespace heddle {

struct Member;

/// Fulfils the event of a detachable task; from any thread (OpenMP 5.2, section 18.11.1).
void fulfill_event(Task& task);
/// The same by the handle that the program has: the address of the task, a GraphEvent's or a
/// ContinuationEvent's.
void fulfill_event(void* handle);

// -- what libraries beside OpenMP do with a task
/// Of the current task; made when first asked for. It lies where it lies until the task is complete.
ExternalState& external_state_of_current(Member& me);

/// Suspends the current task until unblock_task(), unless that was called since it last blocked.
void block_task(Member& me, ExternalState& state);
/// Threads: any. Returns false, and does nothing, where the task was unblocked already and has not blocked
/// since.
bool unblock_task(ExternalState& state);

/// The completion of the current task waits for so many more events. Returns false where it cannot.
bool increase_events(Member& me, ExternalState& state, std::uint64_t count);
/// So many have come. Threads: any. Requires: they were counted.
void decrease_events(ExternalState& state, std::uint64_t count);
/// How many are outstanding.
std::uint64_t pending_events(const ExternalState& state);

/// The body of a task with events has returned: where they have all come, so has the task's own.
void end_body_of_external(Task& task);

/// A node of a recorded graph, executed as `task`, has returned: suspends it until its events have come. What
/// depends on the node has not begun by then, be it a node of the same Task.
void wait_for_events_of_node(Member& me, Task& task);

/// Waits for the events of the current implicit task, before its region ends.
void wait_for_events_of_implicit(Member& me);

}  // namespace heddle
