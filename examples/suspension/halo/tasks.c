// Sweeps by tasks: each slab's inner cells and its rim are a task that depends on the slabs around it, the
// rim on ghosts as well; so does each message. All sweeps are created at once, and nothing separates one from
// the next.
#include "suspension/halo/tasks.h"

#include "suspension/requests.h"

static SlabRange slabs_at(const Domain* domain, int face) {
  if (face / 2 < 2) return (SlabRange){1, domain->slabs};
  return face % 2 == 0 ? (SlabRange){1, 1} : (SlabRange){domain->slabs, domain->slabs};
}

static void create_inner(Domain* domain, int t, int slab) {
  const Tokens* from = &domain->tokens[t % 2];
  const Tokens* to = &domain->tokens[1 - t % 2];
#pragma omp task depend(in : from->inner[slab - 1], from->inner[slab], from->inner[slab + 1]) \
    depend(in : from -> rim[slab - 1], from->rim[slab], from->rim[slab + 1]) depend(out : to->inner[slab])
  update_inner(domain, t, slab);
}

static void create_rim(Domain* domain, int t, int slab) {
  const Tokens* from = &domain->tokens[t % 2];
  const Tokens* to = &domain->tokens[1 - t % 2];
  // A slab in the middle has no ghosts below and above; another of its ghosts is named in their place.
  const int low = slab == 1 ? 4 : 0, high = slab == domain->slabs ? 5 : 0;
#pragma omp task depend(in : from->inner[slab - 1], from->inner[slab], from->inner[slab + 1]) \
    depend(in : from -> rim[slab - 1], from->rim[slab], from->rim[slab + 1])                  \
    depend(in : from->ghosts[0], from->ghosts[1], from->ghosts[2], from->ghosts[3])           \
    depend(in : from->ghosts[low], from->ghosts[high]) depend(out : to->rim[slab])
  update_rim(domain, t, slab);
}

void sweep(Domain* domain, int sweeps) {
  start_polling();
#pragma omp parallel
#pragma omp single
  for (int t = 0; t < sweeps; t++) {
    for (int face = 0; face < kFaces; face++) {
      if (domain->neighbour[face] == MPI_PROC_NULL) continue;
      create_receive(domain, t, face);
      create_send(domain, t, face, slabs_at(domain, face));
    }
    for (int slab = 1; slab <= domain->slabs; slab++) create_inner(domain, t, slab);
    for (int slab = 1; slab <= domain->slabs; slab++) create_rim(domain, t, slab);
  }
  stop_polling();
}
