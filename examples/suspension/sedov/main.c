// The blast, from its beginning to 0.01 s, in the form that is linked.
//
//     mpiexec -n RANKS sedov_FORM [edge of a rank's cube [slabs]]
//
// RANKS is a cube: 1, 8, 27 … What LULESH 2.0 reports for the same cube is compared with the result where it
// is known.
#include <math.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "suspension/arguments.h"
#include "suspension/sedov/domain.h"

enum { kDefaultEdge = 10, kDefaultSlabs = 8, kMostEdge = 200 };

// Steps, and the energy of the element at the origin, by the elements along a side of the whole cube.
static const struct {
  int edge, steps;
  const char* energy;
} kKnown[] = {{5, 72, "7.853665e+03"},
              {10, 231, "2.720531e+04"},
              {20, 575, "9.668856e+04"},
              {30, 932, "2.025075e+05"},
              {45, 1477, "4.234875e+05"}};

static int is_cube(int count) {
  const int side = (int)lround(cbrt(count));
  return side * side * side == count;
}

static int has_failed(const Domain* domain) {
  for (int slab = 1; slab <= domain->slabs; slab++)
    if (domain->has_failed[slab]) return 1;
  return 0;
}

// The largest relative difference between energies that the symmetry of the problem makes equal, in the plane
// at z = 0.
static double asymmetry(const Domain* domain) {
  double largest = 0;
  for (int y = 0; y < domain->edge; y++) {
    for (int x = y + 1; x < domain->edge; x++) {
      const double one = domain->energy[y * domain->edge + x], other = domain->energy[x * domain->edge + y];
      if (other != 0) largest = fmax(largest, fabs(one - other) / fabs(other));
    }
  }
  return largest;
}

// What is wrong with the result of rank 0, or NULL. text: where the energy is spelt.
static const char* fault_in(const Domain* domain, const char* text) {
  for (size_t i = 0; i < sizeof kKnown / sizeof *kKnown; i++) {
    if (kKnown[i].edge != whole_edge(domain)) continue;
    if (kKnown[i].steps != domain->steps) return "the number of steps is not what LULESH reports";
    if (strcmp(kKnown[i].energy, text) != 0) return "the energy is not what LULESH reports";
  }
  return asymmetry(domain) < 1e-8 ? NULL : "the result is not symmetric";
}

int main(int argc, char** argv) {
  const Ranks ranks = begin_ranks(&argc, &argv, &kForm);
  const long edge = argc > 1 ? number_in(argv[1], 1, kMostEdge) : kDefaultEdge;
  const long most_slabs = edge < kMostSlabs ? edge : kMostSlabs;
  const long slabs = argc > 2                     ? number_in(argv[2], 1, most_slabs)
                     : most_slabs < kDefaultSlabs ? most_slabs
                                                  : kDefaultSlabs;
  if (edge < 0 || slabs < 0 || argc > 3)
    give_up(
        "usage: sedov_%s [edge [slabs]], edge from 1 to %d, at most %d slabs and as many as the edge has "
        "elements",
        kForm.name, kMostEdge, kMostSlabs);
  if (!is_cube(ranks.count)) give_up("sedov: %d ranks do not fill a cube; start 1, 8, 27 or 64", ranks.count);

  static Domain domain;
  if (!create_domain(&domain, (int)edge, (int)slabs, ranks))
    give_up("there is no memory for %ld^3 elements", edge);

  MPI_Barrier(MPI_COMM_WORLD);
  const double began = omp_get_wtime();
  begin_steps();
  while (begin_step(&domain)) {
    advance(&domain);
    if (!(domain.longest_step > 0)) break;  // some rank's elements have failed
  }
  end_steps();
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = omp_get_wtime() - began;
  if (!holds_everywhere(!has_failed(&domain)))
    give_up("sedov, %s: an element has turned inside out", kForm.name);

  char energy[32];
  snprintf(energy, sizeof energy, "%.6e", domain.energy[0]);
  const char* const fault = ranks.rank == 0 ? fault_in(&domain, energy) : NULL;
  if (ranks.rank == 0)
    printf("sedov, %s: ranks %d^3 of %ld^3 elements, threads %d: %d steps, energy %s, %.3f ms a step\n",
           kForm.name, domain.side, edge, omp_get_max_threads(), domain.steps, energy,
           1e3 * seconds / domain.steps);
  if (!holds_everywhere(fault == NULL)) give_up("sedov, %s: %s", kForm.name, fault);
  free_domain(&domain);
  MPI_Finalize();
  return 0;
}
