// Messages as tasks that wait: wait_for_request() suspends the task until its message is complete, and what
// comes after the message is simply the next line. Its thread executes other tasks meanwhile.
#include <mpi.h>

#include "suspension/requests.h"
#include "suspension/sedov/tasks.h"

const Form kForm = {"suspension", 1};

static void send(Domain* domain, Message message, int face) {
  MPI_Request request;
  MPI_Isend(domain->outgoing[message][face], message_values(domain, message), MPI_DOUBLE,
            domain->neighbour[face], tag(message, opposite(face)), MPI_COMM_WORLD, &request);
  wait_for_request(request);
}

static void receive(Domain* domain, Message message, int face) {
  MPI_Request request;
  MPI_Irecv(domain->incoming[message][face], message_values(domain, message), MPI_DOUBLE,
            domain->neighbour[face], tag(message, face), MPI_COMM_WORLD, &request);
  wait_for_request(request);
  unpack(domain, message, face);
}

void create_send_forces(Domain* domain, int face) {
  const Tokens* const tokens = &domain->tokens;
#pragma omp task depend(in : tokens->packed[face])
  send(domain, kForces, face);
}

void create_receive_forces(Domain* domain, int face) {
  const Tokens* const tokens = &domain->tokens;
#pragma omp task depend(in : tokens->packed[face]) depend(out : tokens -> added[face])
  receive(domain, kForces, face);
}

void create_send_gradients(Domain* domain, int face, SlabRange slabs) {
  const Tokens* const tokens = &domain->tokens;
#pragma omp task depend(iterator(int s = slabs.first : slabs.last + 1), in : tokens->gradients[s])
  {
    pack(domain, kGradients, face);
    send(domain, kGradients, face);
  }
}

void create_receive_gradients(Domain* domain, int face) {
  const Tokens* const tokens = &domain->tokens;
#pragma omp task depend(out : tokens->ghosts[face])
  receive(domain, kGradients, face);
}

void create_longest_step(Domain* domain) {
  const Tokens* const tokens = &domain->tokens;
#pragma omp task depend(iterator(int s = 1 : domain->slabs + 1), in : tokens->elements[s])
  {
    MPI_Request request;
    find_longest_step(domain);
    MPI_Iallreduce(MPI_IN_PLACE, &domain->longest_step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD, &request);
    wait_for_request(request);
  }
}
