/* Heat along a rod that several ranks share. Every phase is tasks: cells in chunks, the two messages that
 * each rank receives and sends. Nothing waits but the end: a chunk is computed when the chunks beside it have
 * been, and the first and the last one when the neighbour's cell is there. Steps overlap.
 *
 *     mpicc -fopenmp halo.c -lheddle-mpi && mpiexec -n 2 ./a.out
 */
#include <stdio.h>
#include <stdlib.h>

#include "heddle_mpi.h"

enum { kCells = 4096, kChunks = 16, kSteps = 200 }; /* of all ranks */
/* Tags: where a message goes. Those of one step and the next are in different cells and may overtake each
 * other, so they have tags of their own; those of two steps are in the same cell, one after the other. */
enum { kRightwards = 0, kLeftwards = 1, kTags = 2 };

/* A rank's cells 1 to n, with one of each neighbour's beside them, in two generations. */
typedef struct {
  int rank, ranks, n;
  double *old, *next;
} Rod;

static void receive(double* cell, int from, int tag, omp_event_handle_t is_there) {
  MPI_Request request;
  MPI_Irecv(cell, 1, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &request);
  heddle_mpi_detach(&request, is_there);
}

static void send(const double* cell, int to, int tag, omp_event_handle_t is_sent) {
  MPI_Request request;
  MPI_Isend(cell, 1, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &request);
  heddle_mpi_detach(&request, is_sent);
}

/* The cells 0 and n + 1 come from the ranks beside this one. In dependences a
 * chunk's first cell stands for all of it. */
static void exchange(Rod rod, int length, int step) {
  const int rightwards = kRightwards + step % 2 * kTags, leftwards = kLeftwards + step % 2 * kTags;
  double *old = rod.old, *first = &old[1];
  omp_event_handle_t event = (omp_event_handle_t)0;
  if (rod.rank > 0) {
    const int left = rod.rank - 1;
#pragma omp task firstprivate(old, left, rightwards) depend(out : old[0]) detach(event)
    receive(&old[0], left, rightwards, event);
#pragma omp task firstprivate(first, left, leftwards) depend(in : first[0]) detach(event)
    send(first, left, leftwards, event);
  }
  if (rod.rank + 1 < rod.ranks) {
    const int right = rod.rank + 1, n = rod.n, last = n - length + 1;
#pragma omp task firstprivate(old, right, n, leftwards) depend(out : old[n + 1]) detach(event)
    receive(&old[n + 1], right, leftwards, event);
#pragma omp task firstprivate(old, right, n, rightwards) depend(in : old[last]) detach(event)
    send(&old[n], right, rightwards, event);
  }
}

static void step(Rod rod, int length) {
  double *old = rod.old, *next = rod.next;
  for (int first = 1; first <= rod.n; first += length) {
    const int before = first > 1 ? first - length : 0, after = first + length;
#pragma omp task firstprivate(old, next, first, length) depend(in : old[before], old[first], old[after]) \
    depend(out : next[first])
    for (int i = first; i < first + length; i++)
      next[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
  }
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) {
    fprintf(stderr, "this MPI does not let every thread call it\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  Rod rod;
  MPI_Comm_rank(MPI_COMM_WORLD, &rod.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rod.ranks);
  if (kChunks % rod.ranks != 0) {
    fprintf(stderr, "%d chunks cannot be shared by %d ranks\n", kChunks, rod.ranks);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  rod.n = kCells / rod.ranks;
  rod.old = calloc((size_t)rod.n + 2, sizeof *rod.old);
  rod.next = calloc((size_t)rod.n + 2, sizeof *rod.next);
  if (rod.old == NULL || rod.next == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 1; i <= rod.n; i++) rod.old[i] = (rod.rank * rod.n + i - 1) % 1024 < 512 ? 1.0 : 0.0;

#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kSteps; i++) {
    exchange(rod, kCells / kChunks, i);
    step(rod, kCells / kChunks);
    double* const old = rod.old;
    rod.old = rod.next;
    rod.next = old;
  }

  double mine = 0, all = 0; /* of squares: it shrinks as the heat spreads */
  for (int i = 1; i <= rod.n; i++) mine += rod.old[i] * rod.old[i];
  MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rod.rank == 0) printf("%.9f\n", all);
  free(rod.old);
  free(rod.next);
  MPI_Finalize();
  return 0;
}
