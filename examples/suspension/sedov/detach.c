// Messages as tasks with detach(event): such a task starts its message and returns; the poller fulfils its
// event when the message is complete. What comes after a message is a task of its own that depends on it.
#include <mpi.h>
#include <omp.h>

#include "suspension/requests.h"
#include "suspension/sedov/tasks.h"

const Form kForm = {"detach", 0};

static void send(Domain* domain, Message message, int face, omp_event_handle_t sent) {
  MPI_Request request;
  MPI_Isend(domain->outgoing[message][face], message_values(domain, message), MPI_DOUBLE,
            domain->neighbour[face], tag(message, opposite(face)), MPI_COMM_WORLD, &request);
  fulfil_when_complete(request, sent);
}

static void receive(Domain* domain, Message message, int face, omp_event_handle_t received) {
  MPI_Request request;
  MPI_Irecv(domain->incoming[message][face], message_values(domain, message), MPI_DOUBLE,
            domain->neighbour[face], tag(message, face), MPI_COMM_WORLD, &request);
  fulfil_when_complete(request, received);
}

void create_send_forces(Domain* domain, int face) {
  const Tokens* const tokens = &domain->tokens;
  omp_event_handle_t sent = 0;  // Clang warns otherwise; the construct sets it
#pragma omp task depend(in : tokens->packed[face]) detach(sent)
  send(domain, kForces, face, sent);
}

void create_receive_forces(Domain* domain, int face) {
  const Tokens* const tokens = &domain->tokens;
  omp_event_handle_t received = 0;
#pragma omp task depend(out : tokens->received[kForces][face]) detach(received)
  receive(domain, kForces, face, received);
#pragma omp task depend(in : tokens->received[kForces][face], tokens->packed[face]) \
    depend(out : tokens -> added[face])
  unpack(domain, kForces, face);
}

void create_send_gradients(Domain* domain, int face, SlabRange slabs) {
  const Tokens* const tokens = &domain->tokens;
  omp_event_handle_t sent = 0;
#pragma omp task depend(iterator(int s = slabs.first : slabs.last + 1), in : tokens->gradients[s]) \
    detach(sent)
  {
    pack(domain, kGradients, face);
    send(domain, kGradients, face, sent);
  }
}

void create_receive_gradients(Domain* domain, int face) {
  const Tokens* const tokens = &domain->tokens;
  omp_event_handle_t received = 0;
#pragma omp task depend(out : tokens->received[kGradients][face]) detach(received)
  receive(domain, kGradients, face, received);
#pragma omp task depend(in : tokens->received[kGradients][face]) depend(out : tokens -> ghosts[face])
  unpack(domain, kGradients, face);
}

void create_longest_step(Domain* domain) {
  const Tokens* const tokens = &domain->tokens;
  omp_event_handle_t reduced = 0;
#pragma omp task depend(iterator(int s = 1 : domain->slabs + 1), in : tokens->elements[s]) detach(reduced)
  {
    MPI_Request request;
    find_longest_step(domain);
    MPI_Iallreduce(MPI_IN_PLACE, &domain->longest_step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &request);
    fulfil_when_complete(request, reduced);
  }
}
