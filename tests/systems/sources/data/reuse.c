// Ten ways to have tasks that capture values, again and again, so that memory of tasks serves anew: none is a
// race. With RACE each has one: a sum without atomic.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef RACE
#  define ADD(x)       \
    do {               \
      long add_ = (x); \
      usleep(50);      \
      sum += add_;     \
    } while (0)
#else
#  define ADD(x)                         \
    do {                                 \
      long add_ = (x);                   \
      _Pragma("omp atomic") sum += add_; \
    } while (0)
#endif

enum { kRounds = 20, kTasks = 60 };

typedef struct {
  long value[40];
} big_t;

static long sum;

static void recurse(int depth) {
  for (int i = 0; i < 3 && depth > 0; ++i) {
#pragma omp task firstprivate(depth, i)
    {
      ADD(i);
      recurse(depth - 1);
    }
  }
#pragma omp taskwait
}

static void create(int kind, int i) {
  big_t big = {{i}};
  omp_event_handle_t event = 0;
  static int chained[2];  // two chains, so that two tasks may be executed at a time
  switch (kind) {
    case 0:
#pragma omp task firstprivate(i)
      ADD(i);
      break;
    case 1:
#pragma omp task firstprivate(big)
      ADD(big.value[0]);
      break;
    case 2:
#pragma omp task detach(event) firstprivate(i)
      ADD(i);
#pragma omp task firstprivate(event, i)
      {
        ADD(i);
        omp_fulfill_event(event);
      }
      break;
    case 3:
#pragma omp task depend(inout : chained[i % 2]) firstprivate(i) shared(chained)
    {
      chained[i % 2] += i;
      ADD(i);
    }
      if (i % 4 == 0) {
#pragma omp taskwait depend(in : chained[0])
        chained[0] = 0;
      }
      break;
    case 4:
#pragma omp taskloop grainsize(2) firstprivate(i)
      for (int k = 0; k < 8; ++k) ADD(i + k);
      break;
    case 5:
      if (i == 0) recurse(5);
      break;
    case 6:
#pragma omp taskgroup
    {
#pragma omp task firstprivate(i)
      ADD(i);
#pragma omp task firstprivate(big)
      ADD(big.value[0]);
    } break;
    case 7:
#pragma omp task if (i % 2) firstprivate(i)
      ADD(i);
      break;
    case 8:
#pragma omp task untied firstprivate(i)
    {
#pragma omp taskyield
      ADD(i);
    } break;
    default:
#pragma omp task priority(i % 3) firstprivate(i, big)
      ADD(big.value[0] + i);
  }
}

int main(int argc, char** argv) {
  // The number of one way; without it all are taken.
  const int first = argc > 1 ? atoi(argv[1]) : 0, last = argc > 1 ? first : 9;
  for (int kind = first; kind <= last; ++kind) {
    for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(4)
#pragma omp single
      for (int i = 0; i < (kind == 0 ? 20 * kTasks : kTasks); ++i) create(kind, i);
    }
  }
  return 0;
}
