// The processor time of barrier-heavy loops: the same work by any number of threads. With more threads than
// processors a runtime that spins pays for it here.
//
//   oversubscription [phases] [microseconds of work a phase]     prints processor seconds and wall seconds
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static volatile float sink;

static void work(long length) {
  float a = 0;
  for (long i = 0; i < length; ++i) a += (float)i;
  sink = a;
}

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char** argv) {
  const long phases = argc > 1 ? atol(argv[1]) : 5000;
  const double us = argc > 2 ? atof(argv[2]) : 200;
  enum { kPieces = 48 };  // divisible by the usual numbers of threads
  long length = 1000;
  for (double taken = 0; taken < 0.01; length *= 2) {
    const double start = omp_get_wtime();
    work(length);
    taken = omp_get_wtime() - start;
    if (taken >= 0.01) {
      length = (long)((double)length * us * 1e-6 / taken / kPieces);
      break;
    }
  }
  const double before = processor_seconds(), start = omp_get_wtime();
#pragma omp parallel
  for (long phase = 0; phase < phases; ++phase) {
#pragma omp for schedule(static)
    for (int piece = 0; piece < kPieces; ++piece) work(length);
  }
  printf("processor %.3f wall %.3f\n", processor_seconds() - before, omp_get_wtime() - start);
  return 0;
}
