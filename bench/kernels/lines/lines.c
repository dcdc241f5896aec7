// Events of a runtime, COUNT of each, for bench/studies/cache_lines.py, which counts the cache lines that
// move for one.
//
//   lines EVENT COUNT     prints how long all take, in ns
//   lines --list          says which events there are
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"
#include "support.h"

const char program_name[] = "lines";

enum { kColumnsAThread = 2 };

static void create(long count) {
  for (long i = 0; i < count; ++i)
#pragma omp task
    compute(1000);
#pragma omp taskwait
}

// One thread creates independent tasks of 1 us.
static void task(long count) {
#pragma omp parallel
#pragma omp single
  create(count);
}

// One thread creates the tasks of a stencil of 2 us: three inputs and an output each, two columns a thread.
static void dependent(long count) {
#pragma omp parallel
#pragma omp single
  {
    const long columns = (long)omp_get_num_threads() * kColumnsAThread;
    char* const places = allocated(2 * (columns + 2), 1);
    for (long i = 0; i < count; ++i) {
      char* const from = places + i / columns % 2 * (columns + 2) + i % columns;
      char* const to = places + (i / columns + 1) % 2 * (columns + 2) + i % columns;
      (void)from, (void)to;
#pragma omp task depend(in : from[0], from[1], from[2]) depend(out : to[1])
      compute(2000);
    }
#pragma omp taskwait
    free(places);
  }
}

static void split(long count) {
  if (count == 1) {
    compute(1000);
    return;
  }
#pragma omp task
  split(count / 2);
  split(count - count / 2);
#pragma omp taskwait
}

// A recursion that ends in bodies of 1 us; an event is a leaf.
static void leaf(long count) {
#pragma omp parallel
#pragma omp single
  split(count);
}

// Chunks of 1 us of a taskloop.
static void chunk(long count) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (long i = 0; i < count; ++i) compute(1000);
}

// Independent tasks of 1 us of a taskgraph that is replayed, a thousand at a time.
static void replayed(long count) {
#pragma omp parallel
#pragma omp single
  for (long done = 0; done < count; done += 1000) HEDDLE_TASKGRAPH(.graph_id = 1) create(1000);
}

static void barrier(long count) {
#pragma omp parallel
  for (long i = 0; i < count; ++i) {
#pragma omp barrier
  }
}

// Each thread creates a task of 1 us before each barrier.
static void drained(long count) {
#pragma omp parallel
  for (long i = 0; i < count; ++i) {
#pragma omp task
    compute(1000);
#pragma omp barrier
  }
}

static void region(long count) {
  for (long i = 0; i < count; ++i) {
#pragma omp parallel
    compute(1);
  }
}

static const struct {
  const char* name;
  void (*execute)(long);
} kEvents[] = {{"task", task},         {"dependent", dependent}, {"leaf", leaf},       {"chunk", chunk},
               {"replayed", replayed}, {"barrier", barrier},     {"drained", drained}, {"region", region}};

int main(int argc, char** argv) {
  const size_t events = sizeof kEvents / sizeof *kEvents;
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (size_t i = 0; i < events; ++i) puts(kEvents[i].name);
    return 0;
  }
  const long count = argc == 3 ? atol(argv[2]) : 0;
  for (size_t i = 0; i < events && count > 0; ++i) {
    if (strcmp(argv[1], kEvents[i].name) != 0) continue;
    const double from = omp_get_wtime();
    kEvents[i].execute(count);
    printf("%.0f\n", (omp_get_wtime() - from) * 1e9);
    return 0;
  }
  refuse("give an event of --list, and how many there are to be");
}
