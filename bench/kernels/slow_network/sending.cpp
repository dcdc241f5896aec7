// Messages between two ranks.
#include "bench/kernels/slow_network/slow_network.hpp"

using heddle::slow_network::Errand;
using heddle::slow_network::network;

namespace {

// Where a message goes.
struct Address {
  int to;
  int tag;
  MPI_Comm ranks;
};

int start(Errand::Mode mode, bool is_buffered, const void* data, int count, MPI_Datatype type,
          const Address& address, MPI_Request* request) {
  Errand errand;
  errand.mode = mode;
  errand.is_buffered = is_buffered;
  errand.data = data;
  errand.count = count;
  errand.type = type;
  errand.to = address.to;
  errand.tag = address.tag;
  errand.ranks = address.ranks;
  network().send(std::move(errand), request);
  return MPI_SUCCESS;
}

int send(Errand::Mode mode, bool is_buffered, const void* data, int count, MPI_Datatype type,
         const Address& address) {
  MPI_Request request = MPI_REQUEST_NULL;
  start(mode, is_buffered, data, count, type, address, &request);
  return MPI_Wait(&request, MPI_STATUS_IGNORE);
}

bool passes(int to) {
  return to == MPI_PROC_NULL || !network().is_slow();
}

}  // namespace

// A blocking and a nonblocking send of one mode.
#define HELD(Send, Isend, mode, is_buffered)                                                     \
  extern "C" int MPI_##Send(const void* data, int count, MPI_Datatype type, int to, int tag,     \
                            MPI_Comm ranks) {                                                    \
    if (passes(to)) return PMPI_##Send(data, count, type, to, tag, ranks);                       \
    return send(Errand::Mode::mode, is_buffered, data, count, type, {to, tag, ranks});           \
  }                                                                                              \
  extern "C" int MPI_##Isend(const void* data, int count, MPI_Datatype type, int to, int tag,    \
                             MPI_Comm ranks, MPI_Request* request) {                             \
    if (passes(to)) return PMPI_##Isend(data, count, type, to, tag, ranks, request);             \
    return start(Errand::Mode::mode, is_buffered, data, count, type, {to, tag, ranks}, request); \
  }
HELD(Send, Isend, standard, false)
HELD(Rsend, Irsend, standard, false)
HELD(Bsend, Ibsend, standard, true)
HELD(Ssend, Issend, synchronous, false)
#undef HELD

extern "C" int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into,
                            int into_count, MPI_Datatype into_type, int from, int into_tag, MPI_Comm ranks,
                            MPI_Status* status) {
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Isend(data, count, type, to, tag, ranks, &sent);
  const int code = PMPI_Recv(into, into_count, into_type, from, into_tag, ranks, status);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  return code;
}

extern "C" int MPI_Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int tag, int from,
                                    int into_tag, MPI_Comm ranks, MPI_Status* status) {
  MPI_Request sent = MPI_REQUEST_NULL;
  MPI_Ibsend(data, count, type, to, tag, ranks, &sent);  // of a copy
  const int code = PMPI_Recv(data, count, type, from, into_tag, ranks, status);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  return code;
}
