// Waiting for requests without holding a thread.
#pragma once

#include <mpi.h>

#include <span>

namespace heddle::mpi {

/// Returns when all requests are complete, as MPI_Waitall() would; the calling task is suspended meanwhile.
/// statuses: one for each, or MPI_STATUSES_IGNORE. Null and inactive requests are complete. Requires:
/// blocking mode is on. Errors: returns MPI_ERR_IN_STATUS, or for one request its own code.
int wait_suspended(std::span<MPI_Request> requests, MPI_Status statuses[]);

/// The task sleeps between two looks, so long: who waits for one of several, or for a message that nobody
/// receives yet.
constexpr unsigned kLooksAgainNs = 20'000;

/// Calls look(flag), a test of MPI's, until it has set the flag or failed.
template <class Look>
int look_suspended(Look look);

}  // namespace heddle::mpi

#include "mpi/alpi.hpp"

template <class Look>
int heddle::mpi::look_suspended(Look look) {
  while (true) {
    int flag = 0;
    const int code = look(&flag);
    if (flag != 0 || code != MPI_SUCCESS) return code;
    alpi_task_waitfor_ns(kLooksAgainNs, nullptr);
  }
}
