// Messages between two ranks: sent, a receive posted, received.
//
// Words: a receive is *open* from its post to its completion. What is received is known then: from whom,
// which tag and how many bytes.
//
// Invariant: each receive that completes with a message was posted before under the same number. What goes to
// or comes from MPI_PROC_NULL is no message.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "tracer/mpi/communicators.hpp"

namespace heddle::tracer {

/// number: 0 where there is nothing to receive.
struct OpenReceive {
  std::uint64_t number = 0;
  std::uint64_t since = 0;  // ticks: it has its request since then
  std::shared_ptr<const Communicator> where;
};

/// One end of a message, as the program has described it. where: null for MPI_COMM_NULL.
struct Envelope {
  std::shared_ptr<const Communicator> where;
  int peer;
  int tag;
  std::uint64_t bytes;  // of a send
};
Envelope envelope_of_send(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
Envelope envelope_of_receive(int from, int tag, MPI_Comm comm);

void tell_sent(const Envelope& envelope);
OpenReceive tell_posted(const Envelope& envelope);
/// Requires: status is of the receive, which has completed without an error. A cancelled one receives
/// nothing.
void tell_received(const OpenReceive& receive, const MPI_Status& status);

}  // namespace heddle::tracer
