#include "suspension/ranks.h"

#include <mpi.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"

static int own_rank(void) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

Ranks begin_ranks(int* argc, char*** argv, const Form* form) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) give_up("this MPI does not provide MPI_THREAD_MULTIPLE");
  if (form->suspends_tasks && (omp_task_continuation_event == NULL || omp_taskwait_detach == NULL))
    give_up("this OpenMP runtime cannot suspend tasks: run on libheddle");
  Ranks ranks = {own_rank(), 0};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  return ranks;
}

void give_up(const char* format, ...) {
  if (own_rank() == 0) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
  }
  MPI_Finalize();
  exit(1);
}

int holds_everywhere(int holds) {
  int everywhere = 0;
  MPI_Allreduce(&holds, &everywhere, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return everywhere;
}

uint64_t sum_of_ranks(uint64_t number) {
  uint64_t sum = 0;
  MPI_Reduce(&number, &sum, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  return sum;
}

// FNV-1a, a word at a time.
uint64_t checksum_of(const double* values, size_t count, uint64_t place) {
  uint64_t sum = 14695981039346656037u ^ place;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    sum = (sum ^ bits) * 1099511628211u;
    sum ^= sum >> 32;
  }
  return sum;
}
