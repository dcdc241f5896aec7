// The exchange as LULESH and many others have it: start all messages, compute what needs none of them in a
// parallel loop, wait for all, compute the rest in another. No thread computes before and after the first
// loop.
#include <mpi.h>

#include "suspension/halo/domain.h"

const Form kForm = {"original", 0};

static int start_messages(Domain* domain, int t, MPI_Request* requests) {
  int count = 0;
  for (int face = 0; face < kFaces; face++)
    if (domain->neighbour[face] != MPI_PROC_NULL)
      MPI_Irecv(domain->incoming[t % 2][face], face_values(domain), MPI_DOUBLE, domain->neighbour[face],
                tag(t, face), MPI_COMM_WORLD, &requests[count++]);
  for (int face = 0; face < kFaces; face++) {
    if (domain->neighbour[face] == MPI_PROC_NULL) continue;
    pack(domain, t, face);
    MPI_Isend(domain->outgoing[t % 2][face], face_values(domain), MPI_DOUBLE, domain->neighbour[face],
              tag(t, opposite(face)), MPI_COMM_WORLD, &requests[count++]);
  }
  return count;
}

void sweep(Domain* domain, int sweeps) {
  MPI_Request requests[2 * kFaces];
  for (int t = 0; t < sweeps; t++) {
    const int count = start_messages(domain, t, requests);
#pragma omp parallel for
    for (int slab = 1; slab <= domain->slabs; slab++) update_inner(domain, t, slab);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (int face = 0; face < kFaces; face++)
      if (domain->neighbour[face] != MPI_PROC_NULL) unpack(domain, t, face);
#pragma omp parallel for
    for (int slab = 1; slab <= domain->slabs; slab++) update_rim(domain, t, slab);
  }
}
