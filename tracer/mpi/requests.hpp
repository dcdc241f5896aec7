// Requests of receives that are open, and requests that are started again and again.
//
// Words: a request is *persistent* where MPI_Send_init() or MPI_Recv_init() has made it; what it does is told
// at each start.
//
// Invariant: a request is among the open receives from its post until it is completed, freed, or taken out by
// a thread that waits for it. A wait takes its requests out before it calls, because MPI may give their
// handles to other threads before the wait has returned; it puts back what has not completed. A test must be
// cheap when it finds nothing: it takes out afterwards, and whoever makes a request waits for that
// (handle_table.hpp). What a test completes may as well be a send, whose handle is that of another thread's
// new receive by then: a test takes out only what was there before it began.
#pragma once

#include <mpi.h>

#include "tracer/mpi/handle_table.hpp"
#include "tracer/mpi/messages.hpp"

namespace heddle::tracer {

struct PersistentMessage {
  Envelope envelope;
  bool is_send;
};

HandleTable<MPI_Request, OpenReceive>& open_receives();
HandleTable<MPI_Request, PersistentMessage>& persistent_messages();
/// Of messages that MPI_Mprobe() has matched: the receive was posted then, as far as the order of messages
/// goes.
HandleTable<MPI_Message, OpenReceive>& matched_messages();

/// After a call that makes a request, of whatever kind. Returns its code.
int made(int code, const MPI_Request* request);
/// As made(), for a receive; or for what is none where its number is 0.
int opened(int code, const MPI_Request* request, OpenReceive receive);

/// The requests are about to start. Does nothing for those that are not persistent.
void tell_started(int count, const MPI_Request requests[]);

}  // namespace heddle::tracer
