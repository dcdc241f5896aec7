// What messages between two ranks on one machine take. Prints ns, the least of several rounds, or bytes.
// heddle calibrate runs it, once for each question.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRounds = 15, kSteps = 200, kLarge = 1 << 18, kLargest = 1 << 22, kTag = 1 };

static int g_rank;
static char* g_data;

static double now_ns(void) {
  return 1e9 * MPI_Wtime();
}

static double least(double before, double ns) {
  return ns < before ? ns : before;
}

// One way of a message that goes back and forth.
static double one_way(int bytes) {
  double best = 1e18;
  for (int round = 0; round < kRounds; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = now_ns();
    for (int i = 0; i < kSteps; i++) {
      if (g_rank == 0) MPI_Send(g_data, bytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD);
      MPI_Recv(g_data, bytes, MPI_BYTE, 1 - g_rank, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (g_rank == 1) MPI_Send(g_data, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
    }
    best = least(best, (now_ns() - began) / (2 * kSteps));
  }
  return best;
}

static double empty(void) {
  return one_way(0);
}

static double large(void) {
  return one_way(kLarge) / kLarge;
}

// To receive a message that is there.
static double receive(void) {
  double best = 1e18;
  for (int round = 0; round < kRounds; round++) {
    if (g_rank == 1) MPI_Send(g_data, 0, MPI_BYTE, 0, kTag, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = now_ns();
    if (g_rank == 0) MPI_Recv(g_data, 0, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    best = least(best, now_ns() - began);
  }
  return best;
}

// To start a send of an empty message.
static double start(void) {
  double best = 1e18;
  MPI_Request requests[kSteps];
  MPI_Status statuses[kSteps];
  for (int round = 0; round < kRounds; round++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = now_ns();
    for (int i = 0; i < kSteps; i++) {
      if (g_rank == 0) MPI_Isend(g_data, 0, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, &requests[i]);
    }
    best = least(best, (now_ns() - began) / kSteps);
    for (int i = 0; i < kSteps; i++) {
      if (g_rank == 1) MPI_Irecv(g_data, 0, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(kSteps, requests, statuses);
  }
  return best;
}

// The largest power of two of bytes that are sent before anybody receives them.
static double eager(void) {
  const double patience_ns = 5e6;
  int sent = 0;
  for (int bytes = 1; bytes <= kLargest; bytes *= 2) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (g_rank == 0) {
      MPI_Request request;
      int is_sent = 0;
      MPI_Isend(g_data, bytes, MPI_BYTE, 1, kTag, MPI_COMM_WORLD, &request);
      for (const double began = now_ns(); !is_sent && now_ns() < began + patience_ns;)
        MPI_Test(&request, &is_sent, MPI_STATUS_IGNORE);
      if (is_sent && sent == bytes / 2) sent = bytes;
      MPI_Barrier(MPI_COMM_WORLD);
      if (!is_sent) MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
      MPI_Recv(g_data, bytes, MPI_BYTE, 0, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  return sent;
}

static const struct {
  const char* name;
  double (*ask)(void);
} kQuestions[] = {
    {"empty", empty}, {"large", large}, {"receive", receive}, {"start", start}, {"eager", eager}};
enum { kCount = sizeof kQuestions / sizeof kQuestions[0] };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  g_data = calloc(kLargest, 1);
  int status = 2;
  for (int i = 0; argc == 2 && ranks == 2 && g_data != NULL && i < kCount; i++) {
    if (strcmp(argv[1], kQuestions[i].name) != 0) continue;
    const double answer = kQuestions[i].ask();
    if (g_rank == 0) printf("%.4f\n", answer);
    status = 0;
  }
  if (status != 0 && g_rank == 0) {
    fprintf(stderr, "heddle-calibrate-mpi: give two ranks, and one of:");
    for (int i = 0; i < kCount; i++) fprintf(stderr, " %s", kQuestions[i].name);
    fprintf(stderr, "\n");
  }
  free(g_data);
  MPI_Finalize();
  return status;
}
