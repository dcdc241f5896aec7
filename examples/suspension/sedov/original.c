// A step as LULESH has it: parallel loops one after the other, and between them messages that one thread
// starts and waits for. The receives are started before what is computed meanwhile.
#include <mpi.h>

#include "suspension/sedov/domain.h"

const Form kForm = {"original", 0};

void begin_steps(void) {}
void end_steps(void) {}

static void start_receives(Domain* domain, Message message, MPI_Request* requests) {
  for (int face = 0; face < kFaces; face++)
    MPI_Irecv(domain->incoming[message][face], message_values(domain, message), MPI_DOUBLE,
              domain->neighbour[face], tag(message, face), MPI_COMM_WORLD, &requests[face]);
}

// The two faces of an axis.
static void exchange(Domain* domain, Message message, int axis, MPI_Request* receives) {
  MPI_Request sends[2];
  for (int side = 0; side < 2; side++) {
    const int face = 2 * axis + side;
    if (domain->neighbour[face] != MPI_PROC_NULL) pack(domain, message, face);
    MPI_Isend(domain->outgoing[message][face], message_values(domain, message), MPI_DOUBLE,
              domain->neighbour[face], tag(message, opposite(face)), MPI_COMM_WORLD, &sends[side]);
  }
  MPI_Waitall(2, &receives[2 * axis], MPI_STATUSES_IGNORE);
  for (int face = 2 * axis; face < 2 * axis + 2; face++)
    if (domain->neighbour[face] != MPI_PROC_NULL) unpack(domain, message, face);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
}

void advance(Domain* domain) {
  MPI_Request forces[kFaces], gradients[kFaces];
  start_receives(domain, kForces, forces);
#pragma omp parallel for
  for (int slab = 1; slab <= domain->slabs; slab++) compute_forces(domain, slab);
#pragma omp parallel for
  for (int slab = 1; slab <= domain->slabs; slab++) sum_forces(domain, slab);
  for (int axis = 0; axis < 3; axis++) exchange(domain, kForces, axis, forces);
  start_receives(domain, kGradients, gradients);
#pragma omp parallel for
  for (int slab = 1; slab <= domain->slabs; slab++) move_nodes(domain, slab);
#pragma omp parallel for
  for (int slab = 1; slab <= domain->slabs; slab++) deform(domain, slab);
  for (int axis = 0; axis < 3; axis++) exchange(domain, kGradients, axis, gradients);
#pragma omp parallel for
  for (int slab = 1; slab <= domain->slabs; slab++) update_elements(domain, slab);
  find_longest_step(domain);
  MPI_Allreduce(MPI_IN_PLACE, &domain->longest_step, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
}
