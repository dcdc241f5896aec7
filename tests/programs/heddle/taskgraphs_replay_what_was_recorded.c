// A taskgraph region gives the same results from its record as from its code: dependences of every kind,
// taskwait, taskgroup, undeferred tasks, tasks of tasks; whatever the order of tasks.
#include <omp.h>
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 6, kAddresses = 7, kTasks = 150, kCells = 40 };

// -- Dependences: each task mixes what it reads into what it writes, so that any other order shows.

typedef struct {
  uint64_t cell[kAddresses];
} Cells;

static uint64_t mix(uint64_t a, uint64_t b) {
  return (a ^ b) * UINT64_C(0x9e3779b97f4a7c15) + (a >> 29);
}

static unsigned next(unsigned* seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 16;
}

static void step(uint64_t* to, const uint64_t* from, int i) {
  *to = mix(*to + (uint64_t)i, *from);
}

static void random_tasks(Cells* c, unsigned seed) {
  for (int i = 0; i < kTasks; i++) {
    uint64_t* const a = &c->cell[next(&seed) % kAddresses];
    uint64_t* const b = &c->cell[next(&seed) % kAddresses];
    switch (next(&seed) % 8) {
      case 0: {
#pragma omp taskwait
        break;
      }
      case 1: {
#pragma omp taskwait depend(in : *a)
        break;
      }
      case 2:
#pragma omp task if (0) depend(in : *a) depend(inout : *b) firstprivate(a, b, i)
        step(b, a, i);
        break;
      case 3: {
#pragma omp taskgroup
        {
#pragma omp task depend(inout : *a) firstprivate(a, i)
          {
#pragma omp task firstprivate(a, i)
            step(a, a, i);
          }
        }
        break;
      }
      default:
#pragma omp task depend(in : *a) depend(inout : *b) firstprivate(a, b, i)
        step(b, a, i);
    }
  }
}

static void results_are_the_same(void) {
  for (unsigned seed = 1; seed <= 12; seed++) {
    Cells serial = {{0}}, plain = {{0}}, replayed = {{0}};
    int times_created = 0;
    for (int round = 0; round < kRounds; round++) {
      unsigned s = seed;
      for (int i = 0; i < kTasks; i++) {
        uint64_t* const a = &serial.cell[next(&s) % kAddresses];
        uint64_t* const b = &serial.cell[next(&s) % kAddresses];
        const unsigned kind = next(&s) % 8;
        if (kind == 3) step(a, a, i);
        if (kind == 2 || kind > 3) step(b, a, i);
      }
    }
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < kRounds; round++) {
#pragma omp taskgroup
      random_tasks(&plain, seed);
      HEDDLE_TASKGRAPH(.graph_id = seed) {
        times_created++;
        random_tasks(&replayed, seed);
      }
    }
    CHECK(times_created == 1);
    for (int i = 0; i < kAddresses; i++)
      CHECK(plain.cell[i] == serial.cell[i] && replayed.cell[i] == serial.cell[i]);
  }
}

// -- Sets: their members overlap or not, and all that follow wait for all of them.

static void sets_follow_one_another(void) {
  int times_created = 0;
  atomic_int readers = 0, sharers = 0;
  int exclusive = 0, inside = 0, x = 0;
  int rounds = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    rounds++;
    HEDDLE_TASKGRAPH() {
      times_created++;
#pragma omp task depend(out : x) shared(x, rounds)
      x = rounds;
      for (int i = 0; i < 9; i++) {
#pragma omp task depend(in : x) shared(x, rounds, readers)
        if (x == rounds) atomic_fetch_add(&readers, 1);
      }
      for (int i = 0; i < 9; i++) {
#ifdef __clang__
#  pragma omp task depend(inoutset : x) shared(sharers, readers, rounds)
#else
#  pragma omp task depend(inout : x) shared(sharers, readers, rounds)
#endif
        if (readers == 9 * rounds) atomic_fetch_add(&sharers, 1);
      }
      for (int i = 0; i < 9; i++) {
#pragma omp task depend(mutexinoutset : x) shared(exclusive, inside, sharers, rounds)
        {
          CHECK(inside == 0);
          inside = 1;
          if (sharers == 9 * rounds) exclusive++;
          inside = 0;
        }
      }
#pragma omp task depend(inout : x) shared(exclusive, rounds, x)
      x = exclusive == 9 * rounds ? -1 : -2;
    }
    CHECK(x == -1);
  }
  CHECK(readers == 9 * kRounds && sharers == 9 * kRounds && exclusive == 9 * kRounds);
  CHECK(times_created == 1);
}

// -- Everything: descendants end with the region; a task's own children are its own affair.

static void descendants_end_with_the_region(void) {
  int times_created = 0;
  atomic_int ended = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kCells; i++) {
#pragma omp task shared(ended)
        {
          for (int j = 0; j < 3; j++) {
#pragma omp task shared(ended)
            {
#pragma omp task shared(ended)
              atomic_fetch_add(&ended, 1);
            }
          }
        }
      }
    }
    CHECK(ended == 3 * kCells * round);
  }
  CHECK(times_created == 1);
}

// A chain whose tasks leave children behind, with dependences among them.
static void chains_may_leave_children(void) {
  int times_created = 0;
  int order[3 * kCells], at = 0;
  atomic_int strays = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    at = 0;
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < 3 * kCells; i++) {
#pragma omp task depend(inout : at) shared(order, at, strays)
        {
          order[at++] = i;
          if (i % 5 == 2) {
            for (int j = 0; j < 4; j++) {
#pragma omp task depend(inout : order[0]) shared(strays)
              atomic_fetch_add(&strays, 1);
            }
          }
          if (i % 10 == 2) {
#pragma omp taskwait
          }
        }
      }
    }
    CHECK(at == 3 * kCells);
    for (int i = 0; i < at; i++) CHECK(order[i] == i);
    CHECK(strays == round * 4 * 24);
  }
  CHECK(times_created == 1);
}

int main(void) {
  results_are_the_same();
  sets_follow_one_another();
  descendants_end_with_the_region();
  chains_may_leave_children();
  return 0;
}
