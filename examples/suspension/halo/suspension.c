// Messages as tasks that wait: wait_for_request() suspends the task until its message is complete, and what
// comes after the message is simply the next line. Its thread executes other tasks meanwhile.
#include <mpi.h>

#include "suspension/halo/tasks.h"
#include "suspension/requests.h"

const Form kForm = {"suspension", 1};

void create_send(Domain* domain, int t, int face, SlabRange slabs) {
  const Tokens* tokens = &domain->tokens[t % 2];
#pragma omp task depend(iterator(int s = slabs.first : slabs.last + 1), in : tokens->rim[s]) \
    depend(inout : tokens -> sent[face])
  {
    MPI_Request request;
    pack(domain, t, face);
    MPI_Isend(domain->outgoing[t % 2][face], face_values(domain), MPI_DOUBLE, domain->neighbour[face],
              tag(t, opposite(face)), MPI_COMM_WORLD, &request);
    wait_for_request(request);
  }
}

void create_receive(Domain* domain, int t, int face) {
  const Tokens* tokens = &domain->tokens[t % 2];
#pragma omp task depend(out : tokens->ghosts[face])
  {
    MPI_Request request;
    MPI_Irecv(domain->incoming[t % 2][face], face_values(domain), MPI_DOUBLE, domain->neighbour[face],
              tag(t, face), MPI_COMM_WORLD, &request);
    wait_for_request(request);
    unpack(domain, t, face);
  }
}
