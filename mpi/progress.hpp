// Who looks at the outstanding requests, and when: a poller of libheddle, or a thread of this library on
// other runtimes.
//
// Invariant: where a request is outstanding somebody looks. The poller is there as long as requests are, and
// a while longer: it keeps one idle thread awake, and coming and going costs a lock and a wake-up.
#pragma once

#include "mpi/pending_requests.hpp"

namespace heddle::mpi {

/// PendingRequests::bind() of a request that is not complete yet; sees to it that somebody looks.
void bind(MPI_Request request, MPI_Status* status, MPI_Request* left, const Listener& listener);

/// Of the process.
PendingRequests& pending();

}  // namespace heddle::mpi
