// Tasks of recorded taskgraphs have events: in every execution their bodies count them anew, or not, and what
// depends on them, and the end of the region, waits until they have come.
#include "support.h"

#include <omp.h>
#include <stdlib.h>

#include "heddle.h"

// -- a library whose requests are completed by a thread of its own, the last one first, or as chance has it

enum { kMostRequests = 4096 };

typedef struct {
  struct alpi_task* task;
  int* value;
  int wanted;
} Request;

static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static Request g_requests[kMostRequests];
static int g_count, g_is_over;
static unsigned g_seed;

static void* complete_requests(void* unused) {
  unsigned chance = g_seed;
  for (;;) {
    pthread_mutex_lock(&g_lock);
    const int is_over = g_is_over, count = g_count;
    Request request = {0};
    if (count > 0) {
      const int chosen = rand_r(&chance) % 2 == 0 ? count - 1 : rand_r(&chance) % count;
      request = g_requests[chosen];
      g_requests[chosen] = g_requests[--g_count];
    }
    pthread_mutex_unlock(&g_lock);
    if (is_over && count == 0) return unused;
    if (count == 0) pause_thread_us(20);
    if (request.task == NULL) continue;
    if (rand_r(&chance) % 8 == 0) pause_thread_us(100);
    *request.value = request.wanted;
    CHECK_SUCCESS(alpi_task_events_decrease(request.task, 1));
  }
}

// *value becomes wanted before the task is complete; at once in one of four times, as chance has it.
static void receive(int* value, int wanted, unsigned* chance) {
  if (rand_r(chance) % 4 == 0) {
    *value = wanted;
    return;
  }
  struct alpi_task* const self = self_task();
  CHECK_SUCCESS(alpi_task_events_increase(self, 1));
  pthread_mutex_lock(&g_lock);
  CHECK(g_count < kMostRequests);
  g_requests[g_count++] = (Request){self, value, wanted};
  pthread_mutex_unlock(&g_lock);
}

// -- programs

enum { kRounds = 30, kRows = 8, kColumns = 12 };

static int g_cells[kRows + 1][kColumns], g_other[kRows + 1][kColumns];
static int g_round;  // what a body finds anew in each execution

// Chains, bundles and what joins them: each cell is received in two parts, from what stands above it.
static void create_grid(int* times_created) {
  ++*times_created;
  for (int row = 1; row <= kRows; row++) {
    for (int column = 0; column < kColumns; column++) {
      // rows of cells of their own, rows that follow each other by columns, and rows that need two
      const int left = row % 3 == 0 ? (column + kColumns - 1) % kColumns : column;
#pragma omp task firstprivate(row, column, left) \
    depend(in : g_cells[row - 1][column], g_cells[row - 1][left]) depend(inout : g_cells[row][column])
      {
        unsigned chance = g_seed + (unsigned)(1000 * g_cells[0][0] + kColumns * row + column);
        const int wanted = g_cells[row - 1][column] + g_other[row - 1][left] + 1;
        receive(&g_other[row][column], wanted % 1000, &chance);
        receive(&g_cells[row][column], wanted, &chance);
      }
    }
  }
}

static void check_grid(void) {
  int cells[2][kColumns], other[2][kColumns];
  for (int row = 0; row <= kRows; row++) {
    for (int column = 0; column < kColumns; column++) {
      const int left = row % 3 == 0 ? (column + kColumns - 1) % kColumns : column;
      const int now = row % 2, before = 1 - now;
      cells[now][column] = row == 0 ? g_cells[0][column] : cells[before][column] + other[before][left] + 1;
      other[now][column] = row == 0 ? g_other[0][column] : cells[now][column] % 1000;
      CHECK(g_cells[row][column] == cells[now][column] && g_other[row][column] == other[now][column]);
    }
  }
}

static void successors_wait_in_every_execution(void) {
  int times_created = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int column = 0; column < kColumns; column++) g_cells[0][column] = round * (column + 1);
    HEDDLE_TASKGRAPH() {
      create_grid(&times_created);
    }
    check_grid();
  }
  CHECK(times_created == 1);
}

// The next execution begins while this one goes on; a task of it waits for those before that have events.
static void executions_that_overlap_wait_for_events(void) {
  enum { kLinks = 5, kLanes = 7 };
  static int lanes[kLanes], times[kLanes];
  int times_created = 0;
  memset(lanes, 0, sizeof lanes);
  memset(times, 0, sizeof times);
#pragma omp parallel
#pragma omp single
  {
    for (int round = 0; round < kRounds; round++) {
      HEDDLE_TASKGRAPH(.nogroup = 1) {
        times_created++;
        for (int link = 0; link < kLinks; link++) {
          for (int lane = 0; lane < kLanes; lane++) {
#pragma omp task firstprivate(lane) depend(inout : lanes[lane])
            {
              unsigned chance = g_seed + (unsigned)(kLanes * times[lane] + lane);
              CHECK(lanes[lane] == times[lane]);
              receive(&lanes[lane], ++times[lane], &chance);
            }
          }
        }
      }
    }
#pragma omp taskwait
    for (int lane = 0; lane < kLanes; lane++) CHECK(lanes[lane] == kRounds * kLinks);
  }
  CHECK(times_created == 1);
}

// What an execution waits for comes in the next one: a team of one does not wait between them either.
static void executions_of_a_team_of_one_overlap(void) {
  static task_slot waiting;
  static int first, second, times[2];
  int times_created = 0;
  first = second = times[0] = times[1] = 0;
  atomic_store(&waiting, NULL);
#pragma omp parallel num_threads(1)
  {
    for (int round = 0; round < kRounds; round++) {
      HEDDLE_TASKGRAPH(.nogroup = 1) {
        times_created++;
#pragma omp task depend(inout : second)
        {
          // The first replay begins when the recorded execution has ended.
          if (times[1]++ > 1) {
            while (atomic_load(&waiting) == NULL) {
#pragma omp taskyield
            }
            CHECK_SUCCESS(alpi_task_events_decrease(atomic_exchange(&waiting, NULL), 1));
          }
        }
#pragma omp task depend(inout : first)
        {
          if (times[0]++ > 0) {
            CHECK_SUCCESS(alpi_task_events_increase(self_task(), 1));
            atomic_store(&waiting, self_task());
          }
        }
      }
    }
    while (atomic_load(&waiting) == NULL || times[0] < kRounds) {
#pragma omp taskyield
    }
    CHECK_SUCCESS(alpi_task_events_decrease(atomic_load(&waiting), 1));
#pragma omp taskwait
  }
  CHECK(times_created == 1 && times[0] == kRounds && times[1] == kRounds);
}

// Tasks may wait in this program; none does here.
static void a_team_of_one_keeps_the_order_of_creation(void) {
  enum { kSteps = 20, kBlocks = 15 };
  static int blocks[2][kBlocks], next;
  (void)blocks;
  const int is_chosen = getenv("HEDDLE_ORDER") != NULL;  // whose task comes next
  int times_created = 0;
  for (int round = 0; round < kRounds; round++) {
    next = 0;
#pragma omp parallel num_threads(1)
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kSteps * kBlocks; i++) {
        const int step = i / kBlocks, block = i % kBlocks, left = block == 0 ? 0 : block - 1;
        (void)left;
#pragma omp task firstprivate(i) depend(in : blocks[step % 2][block], blocks[step % 2][left]) \
    depend(inout : blocks[1 - step % 2][block])
        {
          CHECK(is_chosen || next == i);
          next++;
        }
      }
    }
    CHECK(next == kSteps * kBlocks);
  }
  CHECK(times_created == 1);
}

// Tasks that wait for nobody, each with an event that the body of the next one brings: all of one segment.
static void who_waits_holds_nobody_up(void) {
  enum { kTasks = 64 };
  static task_slot tasks[kTasks];
  static atomic_int meetings[kTasks];  // two for each pair
  static atomic_int ended;
  int times_created = 0;
  atomic_store(&ended, 0);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kTasks; i++) {
      atomic_store(&tasks[i], NULL);
      atomic_store(&meetings[i], 0);
    }
    HEDDLE_TASKGRAPH() {
      times_created++;
      for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
        {
          const int next = (i + 1) % kTasks;
          struct alpi_task* const self = self_task();
          CHECK_SUCCESS(alpi_task_events_increase(self, 1));
          atomic_store(&tasks[i], self);
          // The second of two neighbours completes the first in the ring.
          if (atomic_fetch_add(&meetings[i], 1) == 1) CHECK_SUCCESS(alpi_task_events_decrease(self, 1));
          if (atomic_fetch_add(&meetings[next], 1) == 1)
            CHECK_SUCCESS(alpi_task_events_decrease(atomic_load(&tasks[next]), 1));
          atomic_fetch_add(&ended, 1);
        }
      }
    }
    CHECK(atomic_load(&ended) == (round + 1) * kTasks);
  }
  CHECK(times_created == 1);
}

// Tasks that wait for nobody, and one that waits for them all; and without it, so that the region's end does.
static void bundles_wait_for_events(void) {
  enum { kTasks = 100 };
  static int values[kTasks], sum;
  static char all;
  (void)all;
  for (int has_sum = 0; has_sum < 2; has_sum++) {
    int times_created = 0;
#pragma omp parallel
#pragma omp single
    for (g_round = 1; g_round <= kRounds; g_round++) {
      HEDDLE_TASKGRAPH(.graph_id = (unsigned long)has_sum) {
        times_created++;
        for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i) depend(in : all)
          {
            unsigned chance = g_seed + (unsigned)(kTasks * g_round + i);
            receive(&values[i], g_round * i, &chance);
          }
        }
        if (has_sum) {
#pragma omp task depend(out : all)
          for (int i = sum = 0; i < kTasks; i++) sum += values[i];
        }
      }
      for (int i = 0; i < kTasks; i++) CHECK(values[i] == g_round * i);
      CHECK(!has_sum || sum == g_round * kTasks * (kTasks - 1) / 2);
    }
    CHECK(times_created == 1);
  }
}

// Of a task with a detach clause both have to come.
static void detached_tasks_have_both(void) {
  static int value, seen;
  int times_created = 0;
  value = seen = 0;
#pragma omp parallel
#pragma omp single
  for (g_round = 1; g_round <= kRounds; g_round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      omp_event_handle_t event;
#pragma omp task depend(out : value) detach(event)
      {
        // In the first execution it is a task like any other, which has the clause's event alone.
        unsigned chance = (unsigned)g_round;
        if (g_round == 1)
          value = 1;
        else
          receive(&value, g_round, &chance);
        omp_fulfill_event(event);
      }
#pragma omp task depend(in : value)
      {
        CHECK(value == g_round);
        seen++;
      }
    }
  }
  CHECK(times_created == 1 && seen == kRounds);
}

int main(void) {
  find_alpi();
  self_task();  // as a library does when it is initialised: tasks may wait from now on
  const char* const given = getenv("SEED");
  g_seed = given != NULL ? (unsigned)atoi(given) : (unsigned)now_ns();
  printf("SEED=%u\n", g_seed);
  fflush(stdout);
  const pthread_t thread = start_foreign_thread(complete_requests, NULL);
  successors_wait_in_every_execution();
  executions_that_overlap_wait_for_events();
  executions_of_a_team_of_one_overlap();
  a_team_of_one_keeps_the_order_of_creation();
  who_waits_holds_nobody_up();
  bundles_wait_for_events();
  detached_tasks_have_both();
  pthread_mutex_lock(&g_lock);
  g_is_over = 1;
  pthread_mutex_unlock(&g_lock);
  pthread_join(thread, NULL);
}
