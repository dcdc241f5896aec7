// Factorises a matrix in the form that is linked, and compares every bit with a serial factorisation.
//
//     mpiexec -n RANKS cholesky_FORM [tiles [size of a tile]]
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#include "suspension/arguments.h"
#include "suspension/cholesky/tiles.h"

// Tags go up to the square of the tiles, and MPI promises 32767.
enum { kDefaultTiles = 10, kDefaultSize = 24, kMostTiles = 180, kMostSize = 512 };

static const double kTolerance = 1e-13;

int main(int argc, char** argv) {
  const Ranks ranks = begin_ranks(&argc, &argv, &kForm);
  const long tiles = argc > 1 ? number_in(argv[1], 1, kMostTiles) : kDefaultTiles;
  const long size = argc > 2 ? number_in(argv[2], 1, kMostSize) : kDefaultSize;
  if (tiles < 0 || size < 0 || argc > 3)
    give_up("usage: cholesky_%s [tiles [size]], tiles from 1 to %d, size from 1 to %d", kForm.name,
            kMostTiles, kMostSize);

  Matrix matrix, reference;
  const int has_memory = create_matrix(&matrix, (int)tiles, (int)size, ranks) &&
                         create_matrix(&reference, (int)tiles, (int)size, (Ranks){0, 1});
  if (!holds_everywhere(has_memory)) give_up("there is no memory for %ld x %ld tiles", tiles, tiles);

  MPI_Barrier(MPI_COMM_WORLD);
  const double began = omp_get_wtime();
  factorise(&matrix);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = omp_get_wtime() - began;

  factorise_serially(&reference);
  const double error = residual(&reference);
  if (!holds_everywhere(own_columns_equal(&matrix, &reference)))
    give_up("cholesky, %s: the factor is not that of the serial factorisation", kForm.name);
  if (!holds_everywhere(error < kTolerance))
    give_up("cholesky: the factor's product differs from the matrix by %g of it", error);

  const uint64_t checksum = sum_of_ranks(checksum_of_own_columns(&matrix));
  if (ranks.rank == 0)
    printf("cholesky, %s: %ld x %ld tiles of %ld x %ld, ranks %d, threads %d: checksum %016llx, %.2f ms\n",
           kForm.name, tiles, tiles, size, size, ranks.count, omp_get_max_threads(),
           (unsigned long long)checksum, 1e3 * seconds);
  free_matrix(&matrix);
  free_matrix(&reference);
  MPI_Finalize();
  return 0;
}
