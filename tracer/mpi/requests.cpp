#include "tracer/mpi/requests.hpp"

namespace heddle::tracer {

// None is ever destroyed: threads outlive main().
HandleTable<MPI_Request, OpenReceive>& open_receives() {
  static auto* const table = new HandleTable<MPI_Request, OpenReceive>;
  return *table;
}
HandleTable<MPI_Request, PersistentMessage>& persistent_messages() {
  static auto* const table = new HandleTable<MPI_Request, PersistentMessage>;
  return *table;
}
HandleTable<MPI_Message, OpenReceive>& matched_messages() {
  static auto* const table = new HandleTable<MPI_Message, OpenReceive>;
  return *table;
}

int made(int code, const MPI_Request* request) {
  if (code == MPI_SUCCESS) open_receives().await_no_entry(*request);
  return code;
}

int opened(int code, const MPI_Request* request, OpenReceive receive) {
  if (receive.number == 0) return made(code, request);
  if (code != MPI_SUCCESS) return code;
  receive.since = ticks_from_here_on();
  open_receives().put(*request, std::move(receive));
  return code;
}

void tell_started(int count, const MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    const auto message = persistent_messages().find(requests[i]);
    if (!message) continue;
    if (message->is_send) {
      tell_sent(message->envelope);
    } else if (OpenReceive receive = tell_posted(message->envelope); receive.number != 0) {
      receive.since = ticks_from_here_on();
      open_receives().put(requests[i], std::move(receive));
    }
  }
}

}  // namespace heddle::tracer
