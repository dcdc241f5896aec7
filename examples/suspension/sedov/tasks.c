// A step by tasks: each part of a slab is one, and each message. They depend on what they read, so that a
// slab's nodes move while another's forces are computed, and messages cross meanwhile.
#include "suspension/sedov/tasks.h"

#include "suspension/requests.h"

void begin_steps(void) {
  start_polling();
}
void end_steps(void) {
  stop_polling();
}

static void create_forces(Domain* domain, int slab) {
  Tokens* const tokens = &domain->tokens;
#pragma omp task depend(out : tokens->forces[slab])
  compute_forces(domain, slab);
}

static void create_sums(Domain* domain, int slab) {
  Tokens* const tokens = &domain->tokens;
#pragma omp task depend(in : tokens->forces[slab - 1], tokens->forces[slab]) \
    depend(out : tokens -> sums[slab])
  sum_forces(domain, slab);
}

static SlabRange slabs_at(const Domain* domain, int face) {
  if (face / 2 < 2) return (SlabRange){1, domain->slabs};
  return face % 2 == 0 ? (SlabRange){1, 1} : (SlabRange){domain->slabs, domain->slabs};
}

// A face is packed when the axes before are added, and before its own neighbour's forces are.
static void create_pack(Domain* domain, int face) {
  Tokens* const tokens = &domain->tokens;
  const SlabRange slabs = slabs_at(domain, face);
#pragma omp task depend(iterator(int s = slabs.first : slabs.last + 1), in : tokens->sums[s]) \
    depend(iterator(int f = 0 : face / 2 * 2), in : tokens -> added[f]) depend(out : tokens->packed[face])
  pack(domain, kForces, face);
}

static void create_nodes(Domain* domain, int slab) {
  Tokens* const tokens = &domain->tokens;
  // A slab in the middle has no nodes below and above that neighbours share; another face is named in their
  // place.
  const int low = slab == 1 ? 4 : 0, high = slab == domain->slabs ? 5 : 0;
#pragma omp task depend(in : tokens->sums[slab], tokens->added[0], tokens->added[1], tokens->added[2]) \
    depend(in : tokens -> added[3], tokens->added[low], tokens->added[high])                           \
    depend(out : tokens->nodes[slab])
  move_nodes(domain, slab);
}

static void create_deform(Domain* domain, int slab) {
  Tokens* const tokens = &domain->tokens;
#pragma omp task depend(in : tokens->nodes[slab], tokens->nodes[slab + 1]) \
    depend(out : tokens -> gradients[slab])
  deform(domain, slab);
}

static void create_update(Domain* domain, int slab) {
  Tokens* const tokens = &domain->tokens;
  const int low = slab == 1 ? 4 : 0, high = slab == domain->slabs ? 5 : 0;
#pragma omp task depend(in : tokens->gradients[slab - 1], tokens->gradients[slab],            \
                            tokens->gradients[slab + 1])                                      \
    depend(in : tokens -> ghosts[0], tokens->ghosts[1], tokens->ghosts[2], tokens->ghosts[3]) \
    depend(in : tokens->ghosts[low], tokens->ghosts[high]) depend(out : tokens->elements[slab])
  update_elements(domain, slab);
}

void advance(Domain* domain) {
#pragma omp parallel
#pragma omp single
  {
    for (int slab = 1; slab <= domain->slabs; slab++) create_forces(domain, slab);
    for (int slab = 1; slab <= domain->slabs; slab++) create_sums(domain, slab);
    for (int face = 0; face < kFaces; face++) {
      if (domain->neighbour[face] == MPI_PROC_NULL) continue;
      create_pack(domain, face);
      create_send_forces(domain, face);
      create_receive_forces(domain, face);
    }
    for (int slab = 1; slab <= domain->slabs; slab++) create_nodes(domain, slab);
    for (int slab = 1; slab <= domain->slabs; slab++) create_deform(domain, slab);
    for (int face = 0; face < kFaces; face++) {
      if (domain->neighbour[face] == MPI_PROC_NULL) continue;
      create_receive_gradients(domain, face);
      create_send_gradients(domain, face, slabs_at(domain, face));
    }
    for (int slab = 1; slab <= domain->slabs; slab++) create_update(domain, slab);
    create_longest_step(domain);
  }
}
