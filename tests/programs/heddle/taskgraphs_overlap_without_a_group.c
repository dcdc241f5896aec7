// With nogroup a taskgraph region does not wait for its tasks: the next execution of its record begins while
// the last goes on, and what depends on it waits, whether it is the record again, another region, or a task.
#include <omp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "heddle.h"

enum { kSide = 10, kSweeps = 30 };

typedef struct {
  uint64_t cell[kSide + 2][kSide + 2];
} Grid;

static Grid grid, expected;

static void update(Grid* g, int i, int j) {
  g->cell[i][j] = g->cell[i][j] * UINT64_C(0x9e3779b97f4a7c15) + g->cell[i - 1][j] + 3 * g->cell[i][j - 1] +
                  5 * g->cell[i + 1][j] + 7 * g->cell[i][j + 1];
}

static void fill(Grid* g) {
  for (int i = 0; i < kSide + 2; i++)
    for (int j = 0; j < kSide + 2; j++) g->cell[i][j] = (uint64_t)(i * 100 + j);
}

static void create_sweep(void) {
  for (int i = 1; i <= kSide; i++)
    for (int j = 1; j <= kSide; j++) {
#pragma omp task depend(in : grid.cell[i - 1][j], grid.cell[i][j - 1], grid.cell[i + 1][j], \
                            grid.cell[i][j + 1]) depend(inout : grid.cell[i][j]) firstprivate(i, j)
      update(&grid, i, j);
    }
}

static void expect_sweeps(int sweeps) {
  fill(&expected);
  for (int s = 0; s < sweeps; s++)
    for (int i = 1; i <= kSide; i++)
      for (int j = 1; j <= kSide; j++) update(&expected, i, j);
  CHECK(memcmp(&grid, &expected, sizeof grid) == 0);
}

static void sweeps_give_the_same_bits(void) {
  fill(&grid);
  int times_created = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int s = 0; s < kSweeps; s++) HEDDLE_TASKGRAPH(.nogroup = 1) {
        times_created++;
        create_sweep();
      }
#pragma omp taskwait
    expect_sweeps(kSweeps);
  }
  CHECK(times_created == 1);

  // The barrier waits for them as well, and so does a group around the region.
  fill(&grid);
#pragma omp parallel
#pragma omp single nowait
  for (int s = 0; s < kSweeps; s++) HEDDLE_TASKGRAPH(.nogroup = 1, .graph_id = 1) create_sweep();
  expect_sweeps(kSweeps);

  fill(&grid);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    for (int s = 0; s < kSweeps; s++) HEDDLE_TASKGRAPH(.nogroup = 1, .graph_id = 2) create_sweep();
    expect_sweeps(kSweeps);
  }
}

// Tasks, waits and regions in between depend on the sweeps in flight.
static void others_wait_for_what_is_in_flight(void) {
  fill(&grid);
  uint64_t corners = 0, awaited = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int s = 0; s < kSweeps; s++) {
      HEDDLE_TASKGRAPH(.nogroup = s % 5 != 4, .graph_id = s % 7 == 6, .graph_reset = s == 20,
                       .if_false = s == 11)
      create_sweep();
      if (s % 3 == 0) {
#pragma omp task depend(in : grid.cell[kSide][kSide]) depend(inout : corners) shared(corners)
        corners = corners * 3 + grid.cell[kSide][kSide];
      }
      if (s % 4 == 0) {
#pragma omp taskwait depend(in : grid.cell[kSide][kSide])
        awaited = awaited * 3 + grid.cell[kSide][kSide];
      }
      if (s % 6 == 0) {
#pragma omp task if (0) depend(in : grid.cell[kSide][1]) shared(awaited)
        awaited = awaited * 5 + grid.cell[kSide][1];
      }
    }
#pragma omp taskwait
  }
  expect_sweeps(kSweeps);
  uint64_t expected_corners = 0, expected_awaited = 0;
  fill(&expected);
  for (int s = 0; s < kSweeps; s++) {
    for (int i = 1; i <= kSide; i++)
      for (int j = 1; j <= kSide; j++) update(&expected, i, j);
    if (s % 3 == 0) expected_corners = expected_corners * 3 + expected.cell[kSide][kSide];
    if (s % 4 == 0) expected_awaited = expected_awaited * 3 + expected.cell[kSide][kSide];
    if (s % 6 == 0) expected_awaited = expected_awaited * 5 + expected.cell[kSide][1];
  }
  CHECK(corners == expected_corners);
  CHECK(awaited == expected_awaited);
}

// Each captures a value of its own, which its body changes: the record has one copy.
static void tasks_without_dependences_keep_their_data(void) {
  static atomic_long sum;
  atomic_store(&sum, 0);
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < 200; s++) HEDDLE_TASKGRAPH(.nogroup = 1) {
      for (long i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
        for (; i > 0; i--) atomic_fetch_add(&sum, 1);
      }
    }
  CHECK(atomic_load(&sum) == 200 * (19 * 20 / 2));
}

// Tasks of an execution may leave children, which belong to it.
static void children_belong_to_their_execution(void) {
  static uint64_t chain;
  static atomic_int children;
  chain = 1;
  atomic_store(&children, 0);
  uint64_t value = 1;
  for (int s = 0; s < 100; s++) value = value * 7 + 1;
#pragma omp parallel
#pragma omp single
  {
    for (int s = 0; s < 100; s++) HEDDLE_TASKGRAPH(.nogroup = 1) {
#pragma omp task depend(inout : chain)
        {
#pragma omp task
          atomic_fetch_add(&children, 1);
          chain = chain * 7 + 1;
        }
      }
#pragma omp taskwait
    CHECK(chain == value);
  }
  CHECK(atomic_load(&children) == 100);
}

// A region that waits within is executed once at a time.
static void regions_with_waits_follow_one_another(void) {
  static atomic_int running;
  static int most;
#pragma omp parallel
#pragma omp single
  for (int s = 0; s < 50; s++) {
    HEDDLE_TASKGRAPH(.nogroup = 1) {
#pragma omp task
      {
        const int now = atomic_fetch_add(&running, 1) + 1;
        if (now > most) most = now;
      }
#pragma omp taskwait
#pragma omp task
      atomic_fetch_sub(&running, 1);
    }
    if (s == 0) {  // which was no replay
#pragma omp taskwait
    }
  }
  CHECK(atomic_load(&running) == 0);
  CHECK(most == 1);
}

// An execution may begin while a task of the one before it runs. Only who must wait does.
static void executions_overlap(void) {
  static atomic_int flags[2];
  static atomic_int began, may_end, is_replay;
  // One thread is busy with the first task, one waits here, the third executes the others.
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int s = 0; s < 3; s++) {
      HEDDLE_TASKGRAPH(.nogroup = 1) {
#pragma omp task depend(inout : flags[0])
        if (atomic_load(&is_replay)) {
          atomic_fetch_add(&began, 1);
          while (!atomic_load(&may_end)) continue;
        }
#pragma omp task depend(inout : flags[1])
        if (atomic_load(&is_replay)) atomic_fetch_add(&flags[1], 1);
      }
      if (s == 0) {
#pragma omp taskwait
        atomic_store(&is_replay, 1);
      }
    }
    CHECK(omp_get_num_threads() == 3);
    while (atomic_load(&flags[1]) < 2) continue;
    CHECK(atomic_load(&began) <= 1);
    atomic_store(&may_end, 1);
  }
  CHECK(atomic_load(&began) == 2);
}

int main(void) {
  sweeps_give_the_same_bits();
  others_wait_for_what_is_in_flight();
  tasks_without_dependences_keep_their_data();
  children_belong_to_their_execution();
  regions_with_waits_follow_one_another();
  executions_overlap();
  return 0;
}
