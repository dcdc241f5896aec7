// What a message between tasks of two ranks costs, beside one of plain MPI.
//
//     mpiexec -n 2 messages rate|latency plain|tasks BYTES MILLISECONDS
//
// rate: rank 0 sends 64 messages to rank 1, which answers when it has all; each is a task that completes with
// it (TAMPI_Isend, TAMPI_Irecv), or all are a window of MPI_Isend and MPI_Irecv with MPI_Waitall. latency:
// one message goes to and fro; in tasks each receive and each send depend on the one before, and on nobody's
// wait. Prints one line: ns a message, or of half a round trip: the median of some hundred samples.
#include <TAMPI.h>
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWindow = 64, kTripsASample = 64, kMostSamples = 1 << 16 };

static int rank, bytes;
static char* buffer;
static double samples[kMostSamples];
static int count;

static char* place(int message) {
  return buffer + (size_t)message * (size_t)bytes;
}

// A task's message: the task is complete when it is.
static void send_or_receive(bool sends, char* at, int tag) {
  if (sends)
    TAMPI_Isend(at, bytes, MPI_CHAR, 1 - rank, tag, MPI_COMM_WORLD);
  else
    TAMPI_Irecv(at, bytes, MPI_CHAR, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void plain_window(void) {
  MPI_Request requests[kWindow];
  MPI_Status statuses[kWindow];  // GCC warns of MPICH's MPI_STATUSES_IGNORE
  for (int m = 0; m < kWindow; m++) {
    if (rank == 0)
      MPI_Isend(place(m), bytes, MPI_CHAR, 1, m, MPI_COMM_WORLD, &requests[m]);
    else
      MPI_Irecv(place(m), bytes, MPI_CHAR, 0, m, MPI_COMM_WORLD, &requests[m]);
  }
  MPI_Waitall(kWindow, requests, statuses);
}

static void window_of_tasks(void) {
  for (int m = 0; m < kWindow; m++) {
#pragma omp task firstprivate(m)
    send_or_receive(rank == 0, place(m), m);
  }
#pragma omp taskwait
}

static void rate_once(bool in_tasks) {
  if (in_tasks)
    window_of_tasks();
  else
    plain_window();
  // Rank 0 does not run ahead.
  if (rank == 0)
    MPI_Recv(NULL, 0, MPI_CHAR, 1, kWindow, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(NULL, 0, MPI_CHAR, 0, kWindow, MPI_COMM_WORLD);
}

static void plain_trips(void) {
  for (int trip = 0; trip < kTripsASample; trip++) {
    for (int way = 0; way < 2; way++) {
      if (way == rank)
        MPI_Send(buffer, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD);
      else
        MPI_Recv(buffer, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
}

static void trips_of_tasks(void) {
  for (int trip = 0; trip < kTripsASample; trip++) {
    for (int way = 0; way < 2; way++) {
#pragma omp task depend(inout : buffer[0]) firstprivate(way)
      send_or_receive(way == rank, buffer, 0);
    }
  }
#pragma omp taskwait
}

// Both ranks make as many samples: rank 0 says whether there is another.
static bool goes_on(double until) {
  int more = MPI_Wtime() < until && count < kMostSamples;
  MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return more != 0;
}

static void sample(bool is_rate, bool in_tasks) {
  if (is_rate)
    rate_once(in_tasks);
  else if (in_tasks)
    trips_of_tasks();
  else
    plain_trips();
}

static void measure(bool is_rate, bool in_tasks, double seconds) {
  const int messages = is_rate ? kWindow : 2 * kTripsASample;
  for (int warm = 0; warm < 20; warm++) sample(is_rate, in_tasks);
  const double until = MPI_Wtime() + seconds;
  while (goes_on(until)) {
    const double began = MPI_Wtime();
    sample(is_rate, in_tasks);
    samples[count++] = (MPI_Wtime() - began) / messages;
  }
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static int usage(void) {
  if (rank == 0)
    fprintf(stderr, "usage: mpiexec -n 2 messages rate|latency plain|tasks BYTES MILLISECONDS; two ranks\n");
  MPI_Finalize();
  return 2;
}

int main(int argc, char** argv) {
  int provided, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 5 || ranks != 2) return usage();
  const bool is_rate = strcmp(argv[1], "rate") == 0, in_tasks = strcmp(argv[2], "tasks") == 0;
  if (!is_rate && strcmp(argv[1], "latency") != 0) return usage();
  if (!in_tasks && strcmp(argv[2], "plain") != 0) return usage();
  bytes = atoi(argv[3]);
  const int milliseconds = atoi(argv[4]);
  if (bytes < 1 || milliseconds < 1 || provided < MPI_THREAD_MULTIPLE) return usage();
  buffer = calloc(kWindow, (size_t)bytes);
  if (buffer == NULL) return usage();
#pragma omp parallel
#pragma omp single
  measure(is_rate, in_tasks, 1e-3 * milliseconds);
  if (rank == 0) {
    qsort(samples, (size_t)count, sizeof samples[0], by_value);
    printf("ns=%.1f samples=%d threads=%d\n", 1e9 * samples[count / 2], count, omp_get_max_threads());
  }
  free(buffer);
  MPI_Finalize();
  return 0;
}
