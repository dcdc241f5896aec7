/* The slow network of the benchmarks, with SLOW_NETWORK=2000,100 (2 ms, 100 MB/s): messages take at least
 * as long as they should, arrive in their order with what was sent, and every kind of send and operation is
 * held. */
#include <mpi.h>
#include <stdlib.h>

#include "programs/openmp/check.h"

enum { kBig = 1000000, kMessages = 60, kEach = 2 };
static const double kLatency = 0.002, kBytesPerSecond = 1e8;

static void wait_for(int count, MPI_Request requests[]) {
  MPI_Status statuses[kMessages];
  CHECK(MPI_Waitall(count, requests, statuses) == MPI_SUCCESS);
}

// One message each way, both of them `bytes` long.
static double round_trip(int rank, char* data, int bytes) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  if (rank < 2) MPI_Recv(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  return rank == 0 ? MPI_Wtime() - begin : 1e9;
}

// Small and large ones in turn: a small one that is sent ahead may not pass the large one before it.
static void keep_their_order(int rank) {
  static int data[kMessages][20000];
  MPI_Request requests[kMessages];
  if (rank > 1) return;
  for (int n = 0; n < kMessages; n++) {
    const int count = n % 2 == 0 ? 20000 : 3;
    for (int i = 0; i < 20000; i++) data[n][i] = rank == 0 ? n : -1;
    if (rank == 0)
      MPI_Isend(data[n], count, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[n]);
    else
      MPI_Irecv(data[n], 20000, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[n]);
    if (rank == 0 && n % 2 == 1) {  // sent ahead: the buffer is the program's again
      MPI_Wait(&requests[n], MPI_STATUS_IGNORE);
      data[n][0] = -5;
    }
  }
  wait_for(kMessages, requests);
  for (int n = 0; rank == 1 && n < kMessages; n++)
    CHECK(data[n][0] == n && data[n][n % 2 == 0 ? 19999 : 2] == n);
}

typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*Isend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// Every second of eight numbers.
static void every_send(int rank) {
  static const Send sends[] = {MPI_Send, MPI_Rsend, MPI_Bsend, MPI_Ssend};
  static const Isend starts[] = {MPI_Isend, MPI_Irsend, MPI_Ibsend, MPI_Issend};
  MPI_Datatype every_second;
  MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  for (int n = 0; n < 8 && rank < 2; n++) {
    int data[8] = {n, 1, 2, 3, 4, 5, 6, 7}, found[4];
    MPI_Request request;
    if (rank == 1) {
      MPI_Irecv(found, 4, MPI_INT, 0, n, MPI_COMM_WORLD, &request);
      const double begin = MPI_Wtime();  // before the send: this rank may lose its core right after it
      MPI_Send(NULL, 0, MPI_INT, 0, 100, MPI_COMM_WORLD);  // a ready send needs to know
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      CHECK(MPI_Wtime() - begin >= 2 * kLatency);
      CHECK(found[0] == n && found[1] == 2 && found[2] == 4 && found[3] == 6);
      continue;
    }
    MPI_Recv(NULL, 0, MPI_INT, 1, 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (n < 4) {
      CHECK(sends[n](data, 1, every_second, 1, n, MPI_COMM_WORLD) == MPI_SUCCESS);
    } else {
      starts[n - 4](data, 1, every_second, 1, n, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
  MPI_Type_free(&every_second);
  int mine = rank, other = -1;
  MPI_Sendrecv(&mine, 1, MPI_INT, rank ^ 1, 1, &other, 1, MPI_INT, rank ^ 1, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(other == (rank ^ 1));
  MPI_Sendrecv_replace(&mine, 1, MPI_INT, rank ^ 1, 2, rank ^ 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(mine == (rank ^ 1));
  MPI_Send(&mine, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void operations(int rank, int ranks) {
  const double rounds = ranks == 2 ? 1 : 2;
  long one = 1, all = 0;
  double begin = MPI_Wtime();
  MPI_Allreduce(&one, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  CHECK(all == ranks && MPI_Wtime() - begin >= rounds * kLatency);
  begin = MPI_Wtime();
  MPI_Request requests[kEach];
  long sums[kEach] = {rank, 2 * rank};
  for (int n = 0; n < kEach; n++)
    MPI_Iallreduce(MPI_IN_PLACE, &sums[n], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, &requests[n]);
  wait_for(kEach, requests);
  CHECK(sums[0] == ranks * (ranks - 1) / 2 && sums[1] == 2 * sums[0]);
  CHECK(MPI_Wtime() - begin >= rounds * kLatency);
  begin = MPI_Wtime();
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  int flag = 0;
  while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  CHECK(MPI_Wtime() - begin >= rounds * kLatency);
}

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char* const data = calloc(2, kBig);
  CHECK(round_trip(rank, data, 8) >= 2 * kLatency);
  CHECK(round_trip(rank, data, kBig) >= 2 * (kLatency + kBig / kBytesPerSecond));
  if (rank == 0) {  // two messages share the link
    MPI_Request requests[2];
    const double begin = MPI_Wtime();
    for (int n = 0; n < 2; n++)
      MPI_Isend(data + n * kBig, kBig, MPI_CHAR, ranks - 1 - n * (ranks > 2), 3, MPI_COMM_WORLD,
                &requests[n]);
    wait_for(2, requests);
    CHECK(MPI_Wtime() - begin >= kLatency + 2 * kBig / kBytesPerSecond);
  } else {
    const int count = ranks == 2 ? 2 : rank == ranks - 1 || rank == ranks - 2 ? 1 : 0;
    for (int n = 0; n < count; n++) MPI_Recv(data, kBig, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  keep_their_order(rank);
  every_send(rank);
  operations(rank, ranks);
  free(data);
  MPI_Finalize();
  return 0;
}
