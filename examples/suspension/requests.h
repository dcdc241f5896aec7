// MPI requests as events of OpenMP: a poller tests those that are open and fulfils the event of each that is
// complete. Tasks use it in two ways: fulfil_when_complete() completes a task that was created with
// detach(event); wait_for_request() suspends the task that calls it, as if MPI_Wait() had, but not its
// thread.
//
// Requires: MPI_THREAD_MULTIPLE. Any thread that executes tasks may start communication while another polls.
#ifndef HEDDLE_EXAMPLES_REQUESTS_H
#define HEDDLE_EXAMPLES_REQUESTS_H

#include <mpi.h>
#include <omp.h>

// Begins to poll: by libheddle's threads, in between tasks and where they wait; elsewhere by a thread of our
// own.
void start_polling(void);

// Requires: no request is open.
void stop_polling(void);

// Fulfils the event when the request is complete. Requires: start_polling() was called.
// Ensures:  the request is the poller's; it is copied, so that the caller's variable may go.
// Ordering: what MPI received is visible to whoever waited for the event.
// Threads:  any.
void fulfil_when_complete(MPI_Request request, omp_event_handle_t event);

// Returns when the request is complete; the current task is suspended meanwhile. Requires: start_polling()
// was called, and the runtime can suspend tasks.
void wait_for_request(MPI_Request request);

#endif
