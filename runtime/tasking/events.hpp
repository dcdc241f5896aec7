// Events of detachable tasks (OpenMP 5.2, section 18.11.1).
#pragma once

#include "task/task.hpp"

namespace heddle {

/// Fulfils the event of a detachable task; from any thread (OpenMP 5.2, section 18.11.1).
void fulfill_event(Task& task);
/// The same by the handle that the program has: the address of the task, a GraphEvent's or a
/// ContinuationEvent's.
void fulfill_event(void* handle);

}  // namespace heddle
