/* MPI_TASK_MULTIPLE: blocking calls suspend their task. Each rank creates tasks that receive before the tasks
 * that send: where a call holds its thread the program never ends. */
#include "TAMPI.h"
#include "programs/openmp/check.h"

enum { kMessages = 200 };

static int rank, ranks;

static void receives_come_first(void) {
  static int found[kMessages], persistent[kMessages];
#pragma omp parallel
#pragma omp single
  {
    for (int n = 0; n < kMessages; n++) {
#pragma omp task firstprivate(n)
      {
        const int from = (rank + ranks - 1) % ranks;
        MPI_Status status;
        if (n % 4 == 0) {
          CHECK(MPI_Recv(&found[n], 1, MPI_INT, from, n, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
        } else if (n % 4 == 1) {
          MPI_Request requests[2];
          MPI_Irecv(&found[n], 1, MPI_INT, from, n, MPI_COMM_WORLD, &requests[0]);
          requests[1] = MPI_REQUEST_NULL;
          MPI_Status statuses[2];
          CHECK(MPI_Waitall(2, requests, statuses) == MPI_SUCCESS);
          CHECK(requests[0] == MPI_REQUEST_NULL);
          status = statuses[0];
        } else if (n % 4 == 2) {
          MPI_Request request;
          MPI_Recv_init(&persistent[n], 1, MPI_INT, from, n, MPI_COMM_WORLD, &request);
          MPI_Start(&request);
          CHECK(MPI_Wait(&request, &status) == MPI_SUCCESS);
          CHECK(request != MPI_REQUEST_NULL);  // inactive
          found[n] = persistent[n];
          MPI_Request_free(&request);
        } else {
          MPI_Request request;
          int index = -1;
          CHECK(MPI_Probe(from, n, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
          MPI_Irecv(&found[n], 1, MPI_INT, from, n, MPI_COMM_WORLD, &request);
          CHECK(MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE) == MPI_SUCCESS && index == 0);
        }
        CHECK(status.MPI_SOURCE == from && status.MPI_TAG == n);
      }
    }
    for (int n = kMessages - 1; n >= 0; n--) {
#pragma omp task firstprivate(n)
      {
        const int to = (rank + 1) % ranks;
        const int value = 1000 * rank + n;
        CHECK((n % 2 ? MPI_Ssend : MPI_Send)(&value, 1, MPI_INT, to, n, MPI_COMM_WORLD) == MPI_SUCCESS);
      }
    }
  }
  for (int n = 0; n < kMessages; n++) CHECK(found[n] == 1000 * ((rank + ranks - 1) % ranks) + n);
}

// Outside of parallel regions, and all ranks in one task each.
static void collectives(void) {
  int sum = 0, mine = rank, other = -1;
  CHECK(MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
  CHECK(sum == ranks * (ranks - 1) / 2);
#pragma omp parallel
#pragma omp single
#pragma omp task
  {
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % ranks, 7, &other, 1, MPI_INT,
                       (rank + ranks - 1) % ranks, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS);
  }
  CHECK(other == (rank + ranks - 1) % ranks);
}

int main(int argc, char** argv) {
  int provided, level, flag = 0;
  MPI_Init_thread(&argc, &argv, MPI_TASK_MULTIPLE, &provided);
  CHECK(provided == MPI_TASK_MULTIPLE);
  CHECK(MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_TASK_MULTIPLE);
  CHECK(TAMPI_Property_get(TAMPI_PROPERTY_BLOCKING_MODE, &flag) == MPI_SUCCESS && flag == 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < 5; round++) {
    receives_come_first();
    collectives();
  }
  MPI_Finalize();
  return 0;
}
