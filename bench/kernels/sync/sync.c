// The cost of OpenMP's synchronisation constructs, in the manner of the EPCC microbenchmarks (Bull,
// "Measuring Synchronisation and Scheduling Overheads in OpenMP", EWOMP 1999): a construct around a short
// delay, many times, less the same delays without it.
//
//   sync [seconds a construct]     prints one line a construct: its name and nanoseconds of overhead
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int delay_length;
static volatile int sink;

static void delay(void) {
  float a = 0;
  for (int i = 0; i < delay_length; ++i) a += (float)i;
  if (a < 0) sink = 1;
}

// 100 ns, EPCC's default.
static void calibrate_delay(void) {
  for (delay_length = 16;; delay_length += delay_length / 8) {
    const double start = omp_get_wtime();
    for (int i = 0; i < 100000; ++i) delay();
    if (omp_get_wtime() - start > 100000 * 100e-9) return;
  }
}

static void reference(long reps) {
  for (long j = 0; j < reps; ++j) delay();
}
static void parallel(long reps) {
  for (long j = 0; j < reps; ++j) {
#pragma omp parallel
    delay();
  }
}
static void nested_parallel(long reps) {
  for (long j = 0; j < reps; ++j) {
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
      delay();
    }
  }
}
static void reduction(long reps) {
  int total = 0;
  for (long j = 0; j < reps; ++j) {
#pragma omp parallel reduction(+ : total)
    {
      delay();
      total += 1;
    }
  }
  sink = total;
}
static void loop(long reps) {
#pragma omp parallel
  for (long j = 0; j < reps; ++j) {
#pragma omp for
    for (int i = 0; i < omp_get_num_threads(); ++i) delay();
  }
}
static void parallel_loop(long reps) {
  const int threads = omp_get_max_threads();
  for (long j = 0; j < reps; ++j) {
#pragma omp parallel for
    for (int i = 0; i < threads; ++i) delay();
  }
}
static void dynamic_loop(long reps) {
#pragma omp parallel
  for (long j = 0; j < reps; ++j) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < omp_get_num_threads(); ++i) delay();
  }
}
static void barrier(long reps) {
#pragma omp parallel
  for (long j = 0; j < reps; ++j) {
    delay();
#pragma omp barrier
  }
}
static void single(long reps) {
#pragma omp parallel
  for (long j = 0; j < reps; ++j) {
#pragma omp single
    delay();
  }
}
// Those that exclude: the threads share the repetitions.
static void critical(long reps) {
#pragma omp parallel
  for (long j = omp_get_thread_num(); j < reps; j += omp_get_num_threads()) {
#pragma omp critical
    delay();
  }
}
static void lock(long reps) {
  static omp_lock_t mutex;
  omp_init_lock(&mutex);
#pragma omp parallel
  for (long j = omp_get_thread_num(); j < reps; j += omp_get_num_threads()) {
    omp_set_lock(&mutex);
    delay();
    omp_unset_lock(&mutex);
  }
  omp_destroy_lock(&mutex);
}
static void ordered(long reps) {
#pragma omp parallel for ordered schedule(static, 1)
  for (long j = 0; j < reps; ++j) {
#pragma omp ordered
    delay();
  }
}

// Seconds for one repetition, the least of some samples: what disturbs a sample only ever adds to it.
static double time_of(void (*construct)(long), double seconds) {
  enum { kSamples = 5 };
  construct(4);
  long reps = 8;
  for (;; reps *= 2) {
    const double start = omp_get_wtime();
    construct(reps);
    if (omp_get_wtime() - start >= seconds / kSamples || reps > 1L << 28) break;
  }
  double least = 1e9;
  for (int sample = 0; sample < kSamples; ++sample) {
    const double start = omp_get_wtime();
    construct(reps);
    const double taken = omp_get_wtime() - start;
    if (taken < least) least = taken;
  }
  return least / (double)reps;
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 0.02;
  const struct {
    const char* name;
    void (*run)(long);
  } constructs[] = {{"parallel", parallel},
                    {"for", loop},
                    {"parallel for", parallel_loop},
                    {"for dynamic", dynamic_loop},
                    {"barrier", barrier},
                    {"single", single},
                    {"critical", critical},
                    {"reduction", reduction},
                    {"ordered", ordered},
                    {"lock", lock},
                    {"nested parallel", nested_parallel}};
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  calibrate_delay();
  const double alone = time_of(reference, seconds);
  for (size_t i = 0; i < sizeof constructs / sizeof constructs[0]; ++i)
    printf("%s: %.1f\n", constructs[i].name, (time_of(constructs[i].run, seconds) - alone) * 1e9);
  return 0;
}
