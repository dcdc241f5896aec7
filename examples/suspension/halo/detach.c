// Messages as tasks with detach(event): such a task starts its message and returns; the poller fulfils its
// event when the message is complete. What comes after a message is a task of its own that depends on it.
#include <mpi.h>
#include <omp.h>

#include "suspension/halo/tasks.h"
#include "suspension/requests.h"

const Form kForm = {"detach", 0};

void create_send(Domain* domain, int t, int face, SlabRange slabs) {
  const Tokens* tokens = &domain->tokens[t % 2];
  omp_event_handle_t sent = 0;  // Clang warns otherwise; the construct sets it
#pragma omp task depend(iterator(int s = slabs.first : slabs.last + 1), in : tokens->rim[s]) \
    depend(inout : tokens -> sent[face]) detach(sent)
  {
    MPI_Request request;
    pack(domain, t, face);
    MPI_Isend(domain->outgoing[t % 2][face], face_values(domain), MPI_DOUBLE, domain->neighbour[face],
              tag(t, opposite(face)), MPI_COMM_WORLD, &request);
    fulfil_when_complete(request, sent);
  }
}

void create_receive(Domain* domain, int t, int face) {
  const Tokens* tokens = &domain->tokens[t % 2];
  omp_event_handle_t received = 0;  // Clang warns otherwise; the construct sets it
#pragma omp task depend(out : tokens->received[face]) detach(received)
  {
    MPI_Request request;
    MPI_Irecv(domain->incoming[t % 2][face], face_values(domain), MPI_DOUBLE, domain->neighbour[face],
              tag(t, face), MPI_COMM_WORLD, &request);
    fulfil_when_complete(request, received);
  }
#pragma omp task depend(in : tokens->received[face]) depend(out : tokens -> ghosts[face])
  unpack(domain, t, face);
}
