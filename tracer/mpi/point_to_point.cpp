// Sends, receives and probes.
#include "tracer/mpi/calls.hpp"
#include "tracer/mpi/messages.hpp"
#include "tracer/mpi/requests.hpp"

using namespace heddle::tracer;

namespace {

// Where the program wants no status we do.
MPI_Status* one_of(MPI_Status* wanted, MPI_Status& own) {
  return wanted != MPI_STATUS_IGNORE ? wanted : &own;
}

// A persistent request, once there is the request.
int kept(int code, const MPI_Request* request, bool is_recorded, const PersistentMessage& message) {
  if (code != MPI_SUCCESS) return code;
  if (is_recorded) persistent_messages().put(*request, message);
  return made(code, request);
}

int received(int code, const OpenReceive& receive, const MPI_Status* status) {
  if (code == MPI_SUCCESS) tell_received(receive, *status);
  return code;
}

// A probe has matched a message, which can no longer be received by others.
void keep_matched(const MPI_Message* message, const MPI_Status& status, MPI_Comm comm) {
  if (*message == MPI_MESSAGE_NO_PROC || *message == MPI_MESSAGE_NULL) return;
  OpenReceive receive = tell_posted(envelope_of_receive(status.MPI_SOURCE, status.MPI_TAG, comm));
  if (receive.number != 0) matched_messages().put(*message, std::move(receive));
}

OpenReceive take_matched(bool is_recorded, MPI_Message message) {
  return is_recorded ? matched_messages().take(message).value_or(OpenReceive{}) : OpenReceive{};
}

}  // namespace

#define SENDS(Name, Iname)                                                                                \
  HEDDLE_TRACE_MPI MPI_##Name(const void* data, int count, MPI_Datatype type, int to, int tag,            \
                              MPI_Comm comm) {                                                            \
    HEDDLE_TRACE_CALL(Name);                                                                              \
    if (call.is_recorded()) tell_sent(envelope_of_send(count, type, to, tag, comm));                      \
    return function.next()(data, count, type, to, tag, comm);                                             \
  }                                                                                                       \
  HEDDLE_TRACE_MPI MPI_##Iname(const void* data, int count, MPI_Datatype type, int to, int tag,           \
                               MPI_Comm comm, MPI_Request* request) {                                     \
    HEDDLE_TRACE_CALL(Iname);                                                                             \
    if (call.is_recorded()) tell_sent(envelope_of_send(count, type, to, tag, comm));                      \
    return made(function.next()(data, count, type, to, tag, comm, request), request);                     \
  }                                                                                                       \
  HEDDLE_TRACE_MPI MPI_##Name##_init(const void* data, int count, MPI_Datatype type, int to, int tag,     \
                                     MPI_Comm comm, MPI_Request* request) {                               \
    HEDDLE_TRACE_CALL(Name##_init);                                                                       \
    const int code = function.next()(data, count, type, to, tag, comm, request);                          \
    return kept(code, request, call.is_recorded(), {envelope_of_send(count, type, to, tag, comm), true}); \
  }
SENDS(Send, Isend)
SENDS(Ssend, Issend)
SENDS(Bsend, Ibsend)
SENDS(Rsend, Irsend)
#undef SENDS

HEDDLE_TRACE_MPI MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                          MPI_Status* status) {
  HEDDLE_TRACE_CALL(Recv);
  if (!call.is_recorded()) return function.next()(data, count, type, from, tag, comm, status);
  const OpenReceive receive = tell_posted(envelope_of_receive(from, tag, comm));
  MPI_Status own;
  status = one_of(status, own);
  return received(function.next()(data, count, type, from, tag, comm, status), receive, status);
}

HEDDLE_TRACE_MPI MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                           MPI_Request* request) {
  HEDDLE_TRACE_CALL(Irecv);
  OpenReceive receive;
  if (call.is_recorded()) receive = tell_posted(envelope_of_receive(from, tag, comm));
  return opened(function.next()(data, count, type, from, tag, comm, request), request, std::move(receive));
}

HEDDLE_TRACE_MPI MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                               MPI_Request* request) {
  HEDDLE_TRACE_CALL(Recv_init);
  const int code = function.next()(data, count, type, from, tag, comm, request);
  return kept(code, request, call.is_recorded(), {envelope_of_receive(from, tag, comm), false});
}

HEDDLE_TRACE_MPI MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into,
                              int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                              MPI_Status* status) {
  HEDDLE_TRACE_CALL(Sendrecv);
  const auto next = [&] {
    return function.next()(data, count, type, to, tag, into, in_count, in_type, from, in_tag, comm, status);
  };
  if (!call.is_recorded()) return next();
  const OpenReceive receive = tell_posted(envelope_of_receive(from, in_tag, comm));
  tell_sent(envelope_of_send(count, type, to, tag, comm));
  MPI_Status own;
  status = one_of(status, own);
  return received(next(), receive, status);
}

HEDDLE_TRACE_MPI MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag, int from,
                                      int in_tag, MPI_Comm comm, MPI_Status* status) {
  HEDDLE_TRACE_CALL(Sendrecv_replace);
  const auto next = [&] { return function.next()(data, count, type, to, tag, from, in_tag, comm, status); };
  if (!call.is_recorded()) return next();
  const OpenReceive receive = tell_posted(envelope_of_receive(from, in_tag, comm));
  tell_sent(envelope_of_send(count, type, to, tag, comm));
  MPI_Status own;
  status = one_of(status, own);
  return received(next(), receive, status);
}

HEDDLE_TRACE_MPI MPI_Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message,
                           MPI_Status* status) {
  HEDDLE_TRACE_CALL(Mrecv);
  const OpenReceive receive = take_matched(call.is_recorded(), *message);
  MPI_Status own;
  status = one_of(status, own);
  return received(function.next()(data, count, type, message, status), receive, status);
}

HEDDLE_TRACE_MPI MPI_Imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message,
                            MPI_Request* request) {
  HEDDLE_TRACE_CALL(Imrecv);
  OpenReceive receive = take_matched(call.is_recorded(), *message);
  return opened(function.next()(data, count, type, message, request), request, std::move(receive));
}

HEDDLE_TRACE_PLAIN(Probe, (int from, int tag, MPI_Comm comm, MPI_Status* status), (from, tag, comm, status))

HEDDLE_TRACE_MPI MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  HEDDLE_TRACE_POLL(Iprobe);
  const int code = function.next()(from, tag, comm, flag, status);
  if (code == MPI_SUCCESS && *flag != 0) call.found_something();
  return code;
}

HEDDLE_TRACE_MPI MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  HEDDLE_TRACE_CALL(Mprobe);
  MPI_Status own;
  status = one_of(status, own);
  const int code = function.next()(from, tag, comm, message, status);
  if (call.is_recorded() && code == MPI_SUCCESS) keep_matched(message, *status, comm);
  return code;
}

HEDDLE_TRACE_MPI MPI_Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                             MPI_Status* status) {
  HEDDLE_TRACE_POLL(Improbe);
  MPI_Status own;
  status = one_of(status, own);
  const int code = function.next()(from, tag, comm, flag, message, status);
  if (code != MPI_SUCCESS || *flag == 0) return code;
  call.found_something();
  if (call.is_recorded()) keep_matched(message, *status, comm);
  return code;
}
