// Tasks of one construct in turn whose depend clauses name none, one, few or many addresses, of one kind or
// another, or depend objects: each waits in the recorded execution for what it waits for in the plain one.
#include <omp.h>
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"
#include "heddle.h"

enum { kCells = 12, kRounds = 6, kTasks = 300 };

typedef struct {
  uint64_t cell[kCells];
  uint64_t total;  // of tasks in any order, one at a time
} Cells;

static uint64_t mix(uint64_t a, uint64_t b) {
  return (a ^ b) * UINT64_C(0x9e3779b97f4a7c15) + (a >> 29);
}

// Any other order of two tasks that name one of these cells shows.
static void step(Cells* c, int first, int count, int i) {
  for (int k = 0; k < count; k++) c->cell[first + k] = mix(c->cell[first + k], (uint64_t)i);
}

static atomic_int adding;

static void add(Cells* c, const uint64_t* cell) {
  CHECK(atomic_fetch_add(&adding, 1) == 0);
  c->total += *cell;
  CHECK(atomic_fetch_sub(&adding, 1) == 1);
}

static const int kCounts[] = {0, 1, 1, 8, 9, 0, 2, 3, 3, 12};

static void create(Cells* c, omp_depend_t* whole) {
  for (int i = 0; i < kTasks; i++) {
    const int count = kCounts[i % 10];
    const int first = i % (kCells - count + 1);
    uint64_t* const one = &c->cell[i % kCells];
    switch (i / 7 % 5) {
      case 0:
      case 1:
#pragma omp task depend(iterator(int k = 0 : count), inout : c->cell[first + k]) \
    firstprivate(c, first, count, i)
        step(c, first, count, i);
        break;
      case 2:
#pragma omp task depend(in : *one) depend(mutexinoutset : c -> total) firstprivate(c, one)
        add(c, one);
        break;
      case 3:
#pragma omp task depend(inout : *one) firstprivate(c, i)
        step(c, i % kCells, 1, i);
        break;
      case 4:
#pragma omp task depend(depobj : *whole) depend(inout : *one) firstprivate(c, one)
        *one = mix(*one, c->total);
        break;
    }
  }
}

// What plain execution gives: the tasks in the order of their creation.
static void execute_serially(Cells* c) {
  for (int i = 0; i < kTasks; i++) {
    const int count = kCounts[i % 10];
    uint64_t* const one = &c->cell[i % kCells];
    switch (i / 7 % 5) {
      case 2:
        c->total += *one;
        break;
      case 3:
        step(c, i % kCells, 1, i);
        break;
      case 4:
        *one = mix(*one, c->total);
        break;
      default:
        step(c, i % (kCells - count + 1), count, i);
    }
  }
}

int main(void) {
  int times_created = 0;
  CHECK(omp_get_max_threads() >= 1);  // or the linker leaves the library out
  static Cells cells, expected;
  omp_depend_t whole;
#pragma omp depobj(whole) depend(inout : cells.total)
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      create(&cells, &whole);
    }
    execute_serially(&expected);
    CHECK(cells.total == expected.total);
    for (int i = 0; i < kCells; i++) CHECK(cells.cell[i] == expected.cell[i]);
  }
#pragma omp depobj(whole) destroy
  CHECK(times_created == 1);
  return 0;
}
