/* TAMPI_Iwait(), TAMPI_Iwaitall() and the wrappers: a task's successors begin when its requests are complete.
 * Compiled in the form of version 4 of the interface, and with TAMPI_VERSION_3 in that of version 3. */
#include <stdlib.h>

#include "TAMPI.h"
#include "programs/openmp/check.h"

enum { kLanes = 20, kRounds = 20, kValues = 3000 };

#ifdef TAMPI_VERSION_3
#  define REQUEST , &request
#  define REQUEST_THEN , &request
#else
#  define REQUEST
#  define REQUEST_THEN
#endif

static int rank, ranks;

// Around the ranks: what arrives is sent on by a task that depends on it, larger by one.
static void around(int* lanes, MPI_Status* statuses) {
  const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
  for (int round = 0; round < kRounds; round++) {
    for (int lane = 0; lane < kLanes; lane++) {
      int* data = &lanes[lane * kValues];
      MPI_Status* status = &statuses[lane];
      // even lanes: small messages; odd ones: large
      const int count = lane % 2 == 0 ? 2 : kValues;
#pragma omp task firstprivate(data, lane, count) depend(inout : data[0])
      {
        MPI_Request request;
        if (lane % 3 == 0) {
          CHECK(TAMPI_Isend(data, count, MPI_INT, after, lane, MPI_COMM_WORLD REQUEST) == MPI_SUCCESS);
        } else {
          MPI_Isend(data, count, MPI_INT, after, lane, MPI_COMM_WORLD, &request);
          CHECK(TAMPI_Iwait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
          CHECK(request == MPI_REQUEST_NULL);
        }
        (void)request;
      }
      int* other = &lanes[(kLanes + lane) * kValues];
#pragma omp task firstprivate(other, lane, status, count) depend(out : other[0])
      {
        MPI_Request request;
        if (lane % 3 == 0) {
          CHECK(TAMPI_Irecv(other, count, MPI_INT, before, lane, MPI_COMM_WORLD REQUEST_THEN, status) ==
                MPI_SUCCESS);
        } else {
          MPI_Irecv(other, count, MPI_INT, before, lane, MPI_COMM_WORLD, &request);
          CHECK(TAMPI_Iwait(&request, status) == MPI_SUCCESS);
        }
        (void)request;
      }
#pragma omp task firstprivate(data, other, lane, round, status, count) depend(in : other[0]) \
    depend(inout : data[0])
      {
        int found = 0;
        MPI_Get_count(status, MPI_INT, &found);
        CHECK(found == count && status->MPI_SOURCE == before && status->MPI_TAG == lane);
        CHECK(other[0] == round && other[count - 1] == lane * (count > 2) + round * (count <= 2));
        data[0] = round + 1;
        if (count <= 2) data[count - 1] = round + 1;
      }
    }
  }
}

// One task waits for all its messages to and from everyone.
static void exchange_all(void) {
  int* const values = calloc((size_t)ranks * 2, sizeof(int));
  MPI_Status* const statuses = calloc((size_t)ranks * 2, sizeof(MPI_Status));
#pragma omp task depend(out : values[0])
  {
    MPI_Request* const requests = calloc((size_t)ranks * 2, sizeof(MPI_Request));
    for (int r = 0; r < ranks; r++) {
      values[ranks + r] = 100 * rank + r;
      MPI_Irecv(&values[r], 1, MPI_INT, r, 900, MPI_COMM_WORLD, &requests[r]);
      MPI_Isend(&values[ranks + r], 1, MPI_INT, r, 900, MPI_COMM_WORLD, &requests[ranks + r]);
    }
    CHECK(TAMPI_Iwaitall(2 * ranks, requests, statuses) == MPI_SUCCESS);
    free(requests);  // the library has copies
  }
#pragma omp task depend(in : values[0])
  for (int r = 0; r < ranks; r++) CHECK(values[r] == 100 * r + rank && statuses[r].MPI_SOURCE == r);
#pragma omp taskwait
  free(values);
  free(statuses);
}

static void collectives(void) {
  int one = 1, sum = 0, from_root = rank == 0 ? 42 : 0, before = 0;
#pragma omp task depend(inout : one) shared(one, sum, from_root, before) depend(out : sum)
  {
    MPI_Request request;
    CHECK(TAMPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD REQUEST) == MPI_SUCCESS);
    CHECK(TAMPI_Ibcast(&from_root, 1, MPI_INT, 0, MPI_COMM_WORLD REQUEST) == MPI_SUCCESS);
    CHECK(TAMPI_Iexscan(&one, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD REQUEST) == MPI_SUCCESS);
    CHECK(TAMPI_Ibarrier(MPI_COMM_WORLD REQUEST) == MPI_SUCCESS);
    (void)request;
  }
#pragma omp task depend(in : sum) shared(one, sum, from_root, before)
  CHECK(sum == ranks && from_root == 42 && (rank == 0 || before == rank));
#pragma omp taskwait
}

int main(int argc, char** argv) {
  int provided, flag = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  CHECK(TAMPI_Nonblocking_enabled(&flag) == MPI_SUCCESS && flag == 1);
  CHECK(TAMPI_Blocking_enabled(&flag) == MPI_SUCCESS && flag == 0);
  CHECK(TAMPI_Property_set(TAMPI_PROPERTY_BLOCKING_MODE, 1) == MPI_ERR_ARG);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int* const lanes = calloc((size_t)2 * kLanes * kValues, sizeof(int));
  MPI_Status* const statuses = calloc(kLanes, sizeof(MPI_Status));
  for (int lane = 1; lane < kLanes; lane += 2) lanes[lane * kValues + kValues - 1] = lane;
#pragma omp parallel
#pragma omp single
  {
    around(lanes, statuses);
#pragma omp taskwait
    exchange_all();
    collectives();
  }
  free(lanes);
  free(statuses);
  MPI_Finalize();
  return 0;
}
