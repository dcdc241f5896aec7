/* Tasks with bound requests in recorded taskgraphs: each execution of the record sends and receives anew, and
 * what depends on a message begins when it is there. */
#include <stdlib.h>

#include "TAMPI.h"
#include "heddle.h"
#include "programs/openmp/check.h"

enum { kLanes = 12, kExecutions = 25, kValues = 3000 };

static int rank, ranks;

static int count_of(int lane) {
  return lane % 2 == 0 ? 2 : kValues;  // sent before it is received, or when it is
}

/* Around the ranks, lane by lane: what has arrived is compared and counted on by one task that needs both. */
static void create_exchange(int* own, int* arrived, MPI_Status* statuses, int tag) {
  const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
  for (int lane = 0; lane < kLanes; lane++) {
    int *data = &own[lane * kValues], *other = &arrived[lane * kValues];
    MPI_Status* status = &statuses[lane];
#pragma omp task firstprivate(other, lane, status, before, tag) depend(out : other[0])
    CHECK(TAMPI_Irecv(other, count_of(lane), MPI_INT, before, tag + lane, MPI_COMM_WORLD, status) ==
          MPI_SUCCESS);
#pragma omp task firstprivate(data, lane, after, tag) depend(in : data[0])
    {
      MPI_Request request;
      MPI_Isend(data, count_of(lane), MPI_INT, after, tag + lane, MPI_COMM_WORLD, &request);
      CHECK(TAMPI_Iwait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS && request == MPI_REQUEST_NULL);
    }
#pragma omp task firstprivate(data, other, lane, status, before, tag) depend(in : other[0]) \
    depend(inout : data[0])
    {
      const int last = count_of(lane) - 1;
      int found = 0;
      MPI_Get_count(status, MPI_INT, &found);
      CHECK(found == last + 1 && status->MPI_SOURCE == before && status->MPI_TAG == tag + lane);
      CHECK(other[0] == data[0] && other[last] == data[last]);
      other[0] = other[last] = -1;
      data[0]++;
      data[last] += lane + 1;
    }
  }
}

static void check_counts(const int* own, int times) {
  for (int lane = 0; lane < kLanes; lane++) {
    CHECK(own[lane * kValues] == times);
    CHECK(own[lane * kValues + count_of(lane) - 1] == times * (lane + 1));
  }
}

/* One task waits for all its messages to and from everyone, and one for a sum. */
static void create_collectives(int* sent, int* received, MPI_Request* requests, MPI_Status* statuses) {
#pragma omp task firstprivate(sent, received, requests, statuses) depend(out : received[0])
  {
    for (int r = 0; r < ranks; r++) {
      MPI_Irecv(&received[r], 1, MPI_INT, r, 900, MPI_COMM_WORLD, &requests[r]);
      MPI_Isend(&sent[r], 1, MPI_INT, r, 900, MPI_COMM_WORLD, &requests[ranks + r]);
    }
    CHECK(TAMPI_Iwaitall(2 * ranks, requests, statuses) == MPI_SUCCESS);
  }
#pragma omp task firstprivate(received) depend(in : received[0]) depend(out : received[ranks])
  CHECK(TAMPI_Iallreduce(&received[0], &received[ranks], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
#pragma omp task firstprivate(sent, received) depend(in : received[0], received[ranks])
  {
    CHECK(received[ranks] == ranks * received[0]);  // everyone has what rank 0 sent
    for (int r = 0; r < ranks; r++) CHECK(received[r] == sent[rank] + r - rank);
    for (int r = 0; r < ranks; r++) sent[r] += ranks;
  }
}

static void execute(int nogroup) {
  int* const own = calloc((size_t)kLanes * kValues, sizeof(int));
  int* const arrived = calloc((size_t)kLanes * kValues, sizeof(int));
  MPI_Status* const statuses = calloc(kLanes + (size_t)ranks * 2, sizeof(MPI_Status));
  MPI_Request* const requests = calloc((size_t)ranks * 2, sizeof(MPI_Request));
  int* const sent = calloc((size_t)ranks, sizeof(int));
  int* const received = calloc((size_t)ranks + 1, sizeof(int));
  for (int r = 0; r < ranks; r++) sent[r] = 7 + rank;
  int times_created = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int n = 0; n < kExecutions; n++) {
      HEDDLE_TASKGRAPH(.graph_id = (unsigned long)nogroup, .nogroup = nogroup) {
        times_created++;
        create_exchange(own, arrived, statuses, 100 * nogroup);
        create_collectives(sent, received, requests, &statuses[kLanes]);
      }
      if (!nogroup) check_counts(own, n + 1);
    }
#pragma omp taskwait
    check_counts(own, kExecutions);
  }
  CHECK(times_created == 1);
  CHECK(sent[0] == 7 + rank + kExecutions * ranks);
  free(own);
  free(arrived);
  free(statuses);
  free(requests);
  free(sent);
  free(received);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  CHECK(provided == MPI_THREAD_MULTIPLE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  execute(0);
  execute(1);
  MPI_Finalize();
  return 0;
}
