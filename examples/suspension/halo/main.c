// Sweeps over a box of cells in the form that is linked, and compares every bit with serial sweeps.
//
//     mpiexec -n RANKS halo_FORM [sweeps [edge of a rank's cube [slabs]]]
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#include "suspension/arguments.h"
#include "suspension/halo/domain.h"

enum { kDefaultSweeps = 20, kDefaultEdge = 24, kDefaultSlabs = 6, kMostSweeps = 100000, kMostEdge = 512 };

int main(int argc, char** argv) {
  const Ranks ranks = begin_ranks(&argc, &argv, &kForm);
  const long sweeps = argc > 1 ? number_in(argv[1], 1, kMostSweeps) : kDefaultSweeps;
  const long edge = argc > 2 ? number_in(argv[2], 1, kMostEdge) : kDefaultEdge;
  const long most_slabs = edge < kMostSlabs ? edge : kMostSlabs;
  const long slabs = argc > 3                     ? number_in(argv[3], 1, most_slabs)
                     : most_slabs < kDefaultSlabs ? most_slabs
                                                  : kDefaultSlabs;
  if (sweeps < 0 || edge < 0 || slabs < 0 || argc > 4)
    give_up(
        "usage: halo_%s [sweeps [edge [slabs]]], sweeps from 1 to %d, edge from 1 to %d, at most %d slabs "
        "and as many as the edge has cells",
        kForm.name, kMostSweeps, kMostEdge, kMostSlabs);

  static Domain domain;
  if (!holds_everywhere(create_domain(&domain, (int)edge, (int)slabs, ranks)))
    give_up("there is no memory for cubes of %ld^3 cells", edge);

  MPI_Barrier(MPI_COMM_WORLD);
  const double began = omp_get_wtime();
  sweep(&domain, (int)sweeps);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = omp_get_wtime() - began;

  const int is_equal = equals_serial_sweeps(&domain, (int)sweeps);
  if (!holds_everywhere(is_equal >= 0)) give_up("there is no memory for the whole box");
  if (!holds_everywhere(is_equal)) give_up("halo, %s: the cells are not those of serial sweeps", kForm.name);

  const uint64_t checksum = sum_of_ranks(checksum_of_cells(&domain, (int)sweeps));
  if (ranks.rank == 0)
    printf("halo, %s: ranks %d x %d x %d of %ld^3 cells, threads %d: checksum %016llx, %.3f ms a sweep\n",
           kForm.name, domain.ranks[0], domain.ranks[1], domain.ranks[2], edge, omp_get_max_threads(),
           (unsigned long long)checksum, 1e3 * seconds / (double)sweeps);
  free_domain(&domain);
  MPI_Finalize();
  return 0;
}
