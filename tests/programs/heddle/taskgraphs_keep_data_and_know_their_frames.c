// What a record knows of data: shared variables are read when it is replayed, firstprivate ones keep their
// values, also where a body changes them; each graph id and each frame has its own; clauses as in OpenMP 6.0.
#include <omp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 5 };

static void data_have_their_values(void) {
  int shared_one = 0, seen = 0, private_sum = 0, bodies = 0;
  struct {
    _Alignas(64) int values[20];
  } big;
  memset(&big, 0, sizeof big);
  big.values[7] = 7;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    shared_one = 10 * round;
    int kept = round;
    HEDDLE_TASKGRAPH() {
      bodies++;
#pragma omp task shared(shared_one, seen) depend(inout : seen)
      seen = shared_one;
#pragma omp task shared(private_sum) firstprivate(kept, big) depend(inout : seen)
      {
        CHECK((uintptr_t)&big % 64 == 0);
        private_sum += kept + big.values[7];
        kept += 100;  // for this execution only
        big.values[7] += 100;
      }
    }
    CHECK(seen == 10 * round);
    CHECK(private_sum == 8 * round);
  }
  CHECK(!heddle_is_here() || bodies == 1);
}

static void clauses_hold(void) {
  int bodies[3] = {0, 0, 0}, executed = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 12; round++) {
    const int id = round % 3;
    HEDDLE_TASKGRAPH(.graph_id = (unsigned long)id, .graph_reset = round == 6) {
      bodies[id]++;
#pragma omp task shared(executed)
#pragma omp atomic
      executed++;
    }
  }
  CHECK(executed == 12);
  CHECK(bodies[0] == 2 && bodies[1] == 1 && bodies[2] == 1);

  int plain = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 8; round++) {
    HEDDLE_TASKGRAPH(.if_false = round < 4) {
      plain++;
#pragma omp task shared(executed)
#pragma omp atomic
      executed++;
    }
    CHECK(executed == 13 + round);
  }
  CHECK(plain == 5);
}

// A construct keeps as many records as there is memory for.
static void records_have_no_number(void) {
  enum { kIds = 1100 };
  int bodies = 0, executed = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 3; round++) {
    for (int id = 0; id < kIds; id++) {
      HEDDLE_TASKGRAPH(.graph_id = (unsigned long)id) {
        bodies++;
#pragma omp task shared(executed)
#pragma omp atomic
        executed++;
      }
    }
  }
  CHECK(executed == 3 * kIds);
  CHECK(bodies == kIds);
}

// The same construct in frames of different depth, and their threads.
__attribute__((noinline)) static void count_in(int depth, int* counted, int* bodies) {
  if (depth > 0) {
    volatile char deeper[64];
    deeper[0] = 0;
    count_in(depth - 1, counted, bodies);
    deeper[1] = deeper[0];
    return;
  }
  int here = 0;
  HEDDLE_TASKGRAPH() {
    ++*bodies;
#pragma omp task shared(here)
    here = 1;
  }
  *counted += here;
}

static void frames_have_their_own(void) {
  int counted = 0, bodies = 0;
  for (int round = 0; round < kRounds; round++)
    for (int depth = 0; depth < 4; depth++) count_in(depth, &counted, &bodies);
  CHECK(counted == 4 * kRounds);
  CHECK(bodies == 4);
}

static void threads_have_their_own(void) {
  atomic_int executed = 0, bodies = 0;
  for (int threads = 1; threads <= 3; threads++) {
#pragma omp parallel num_threads(threads)
    for (int round = 0; round < kRounds; round++) {
      int mine = 0;
      HEDDLE_TASKGRAPH() {
        atomic_fetch_add(&bodies, 1);
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(mine, executed)
          {
#pragma omp atomic
            mine++;
            atomic_fetch_add(&executed, 1);
          }
        }
      }
      CHECK(mine == 10);
    }
  }
  CHECK(executed == (1 + 2 + 3) * kRounds * 10);
}

// The same frames of workers, but what they share lies in another frame of who opened the region.
__attribute__((noinline)) static int sum_in(int depth) {
  if (depth > 0) {
    volatile char deeper[100];
    deeper[0] = 0;
    const int sum = sum_in(depth - 1);
    deeper[1] = deeper[0];
    return sum;
  }
  int sum = 0;
#pragma omp parallel shared(sum)
  {
    // Whoever comes: each thread has records of its own.
    for (int round = 0; round < 2; round++) {
      HEDDLE_TASKGRAPH() {
#pragma omp task shared(sum)
#pragma omp atomic
        sum++;
      }
    }
  }
  return sum;
}

static void regions_around_have_their_own(void) {
  for (int round = 0; round < kRounds; round++)
    for (int depth = 0; depth < 3; depth++) CHECK(sum_in(depth) == 2 * omp_get_max_threads());
}

// A region that is met again while it is executed: the inner ones are executed plainly.
static int met;
static void meet(int deeper) {
  for (int round = 0; round < 2; round++) {
    HEDDLE_TASKGRAPH(.graph_id = (unsigned long)deeper) {
#pragma omp task firstprivate(deeper)
      {
#pragma omp atomic
        met++;
        if (deeper > 0) meet(deeper - 1);
      }
    }
  }
}

static void regions_may_be_met_again(void) {
#pragma omp parallel
#pragma omp single
  meet(3);
  CHECK(met == 2 + 4 + 8 + 16);
}

int main(void) {
  data_have_their_values();
  clauses_hold();
  records_have_no_number();
  frames_have_their_own();
  threads_have_their_own();
  regions_around_have_their_own();
  regions_may_be_met_again();
  return 0;
}
