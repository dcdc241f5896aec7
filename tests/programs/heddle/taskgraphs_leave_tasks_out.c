// A task that is not replayable is executed while its region is recorded, where its dependences put it, and
// not again; neither is a taskloop.
#include <omp.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 5, kChain = 100 };

// Each task of a chain multiplies and adds.
static long step(long x, int i) {
  return (x * 3 + i) % 1000003;
}

// Of every seven one is left out.
static long chain(long x, int is_first) {
  for (int i = 0; i < kChain; i++)
    if (is_first || i % 7 != 0) x = step(x, i);
  return x;
}

static void dependences_hold_in_both_directions(void) {
  long x = 1, expected = 1;
  int bodies = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      bodies++;
      for (int i = 0; i < kChain; i++) {
        heddle_next_task_replayable(i % 7 != 0);
#pragma omp task depend(inout : x) shared(x)
        x = step(x, i);
      }
    }
    expected = chain(expected, round == 0);
    CHECK(x == expected);
  }
  CHECK(bodies == 1);
}

static void waits_are_for_what_is_left_out_too(void) {
  int once = 0, nested = 0, each = 0, seen_by_wait = 0, seen_by_group = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      heddle_next_task_replayable(0);
#pragma omp task shared(once)
#pragma omp atomic
      once++;
#pragma omp task shared(each)
#pragma omp atomic
      each++;
#pragma omp taskwait
      seen_by_wait = once + each;
#pragma omp taskgroup
      {
        heddle_next_task_replayable(0);
#pragma omp task shared(nested)
        {
#pragma omp task shared(nested)
#pragma omp atomic
          nested++;
        }
#pragma omp task shared(each)
#pragma omp atomic
        each++;
      }
      seen_by_group = nested;
    }
    CHECK(once == 1 && nested == 1);
    CHECK(each == 2 * (round + 1));
  }
  CHECK(seen_by_wait == 2 && seen_by_group == 1);
}

static void every_kind_of_task_can_be_left_out(void) {
  enum { kCells = 500 };
  static int loop[kCells];
  struct {
    int values[4];
  } captured = {{1, 2, 3, 4}};
  int undeferred = 0, events = 0, objects = 0, each = 0, bodies = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    omp_event_handle_t event;
    HEDDLE_TASKGRAPH() {
      bodies++;
      heddle_next_task_replayable(0);
#pragma omp task if (0) shared(undeferred)
      undeferred++;
      heddle_next_task_replayable(0);
#pragma omp task detach(event) shared(events)
#pragma omp atomic
      events++;
      omp_fulfill_event(event);
      heddle_next_task_replayable(0);
#pragma omp task firstprivate(captured) shared(objects)
#pragma omp atomic
      objects += captured.values[3];
      heddle_next_task_replayable(0);
#pragma omp taskloop grainsize(3) shared(loop)
      for (int i = 0; i < kCells; i++) loop[i]++;
      heddle_next_task_replayable(1);
#pragma omp task shared(each)
#pragma omp atomic
      each++;
    }
    CHECK(each == round + 1);
    CHECK(undeferred == 1 && events == 1 && objects == 4 && loop[0] == 1 && loop[kCells - 1] == 1);
  }
  CHECK(bodies == 1);
}

// The region turns out not to be replayable while a task that was left out is on its way.
static void dependences_hold_where_nothing_is_recorded_in_the_end(void) {
  int wrong = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    int written = 0;
    omp_event_handle_t event;
    HEDDLE_TASKGRAPH(.graph_reset = 1) {
      heddle_next_task_replayable(0);
#pragma omp task depend(out : written) shared(written)
      {
        heddle_task_sleep_ns(2000000);
        written = 1;
      }
#pragma omp task depend(in : written) shared(written, wrong)
      if (!written) {
#pragma omp atomic
        wrong++;
      }
#pragma omp task detach(event) shared(wrong)
      if (omp_get_num_threads() < 1) wrong++;
      omp_fulfill_event(event);
    }
  }
  CHECK(wrong == 0);
}

static void the_last_word_holds(void) {
  int executed = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
      heddle_next_task_replayable(0);
      heddle_next_task_replayable(1);
#pragma omp task shared(executed)
#pragma omp atomic
      executed++;
    }
  }
  CHECK(executed == kRounds);
}

static void executions_that_overlap_leave_them_out_too(void) {
  long x = 1, expected = 1;
  int bodies = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int round = 0; round < kRounds; round++) {
      HEDDLE_TASKGRAPH(.nogroup = 1) {
        bodies++;
        for (int i = 0; i < kChain; i++) {
          heddle_next_task_replayable(i % 7 != 0);
#pragma omp task depend(inout : x) shared(x) if (i % 14 != 0)
          x = step(x, i);
        }
      }
    }
#pragma omp taskwait
  }
  for (int round = 0; round < kRounds; round++) expected = chain(expected, round == 0);
  CHECK(x == expected && bodies == 1);
}

static void nothing_is_left_out_of_what_is_not_recorded(void) {
  int runs = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int round = 0; round < kRounds; round++) {
      HEDDLE_TASKGRAPH(.if_false = 1) {
        heddle_next_task_replayable(0);
#pragma omp task shared(runs)
#pragma omp atomic
        runs++;
      }
    }
    heddle_next_task_replayable(0);
#pragma omp task shared(runs)
#pragma omp atomic
    runs++;
  }
  CHECK(runs == kRounds + 1);
}

int main(void) {
  dependences_hold_in_both_directions();
  waits_are_for_what_is_left_out_too();
  every_kind_of_task_can_be_left_out();
  dependences_hold_where_nothing_is_recorded_in_the_end();
  the_last_word_holds();
  executions_that_overlap_leave_them_out_too();
  nothing_is_left_out_of_what_is_not_recorded();
  return 0;
}
