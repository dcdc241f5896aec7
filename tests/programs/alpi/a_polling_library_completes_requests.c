// A small library of the kind that ALPI is for: tasks put requests into the queue of their processor, without
// a lock; two never-ending pollers, one that blocks and one that runs again and again, take them out and
// complete them some polls later, by unblocking the task or by its event.
#include "support.h"

#include <omp.h>

// -- the library

enum { kCapacity = 1 << 15, kMostProcessors = 256 };

typedef struct {
  struct alpi_task* task;
  int* value;
  int wanted;
  int polls;  // until it is complete
  int is_blocking;
} Request;

// One producer at a time, for no two threads have the same id; pollers take turns by a flag.
typedef struct {
  Request* requests;
  int tail;          // the producer's: not atomic
  atomic_int ready;  // what the pollers may see
  int head;
} Queue;

static Queue g_queues[kMostProcessors];
static uint64_t g_count;
static atomic_flag g_is_polled = ATOMIC_FLAG_INIT;
static Request g_pending[kCapacity];
static int g_pendings;
static atomic_int g_polls[2], g_completed;

static void complete(const Request* request) {
  *request->value = request->wanted;
  if (request->is_blocking)
    CHECK_SUCCESS(alpi_task_unblock(request->task));
  else
    CHECK_SUCCESS(alpi_task_events_decrease(request->task, 1));
  atomic_fetch_add(&g_completed, 1);
}

static void poll(void) {
  if (atomic_flag_test_and_set(&g_is_polled)) return;
  for (uint64_t i = 0; i < g_count; ++i) {
    Queue* const queue = &g_queues[i];
    for (const int ready = atomic_load(&queue->ready); queue->head < ready; ++queue->head)
      g_pending[g_pendings++] = queue->requests[queue->head % kCapacity];
  }
  for (int i = g_pendings - 1; i >= 0; --i) {
    if (--g_pending[i].polls > 0) continue;
    const Request request = g_pending[i];
    g_pending[i] = g_pending[--g_pendings];
    complete(&request);
  }
  atomic_flag_clear(&g_is_polled);
}

static void poll_again_and_again(void* argument) {
  struct alpi_task* const self = self_task();
  atomic_fetch_add((atomic_int*)argument, 1);
  poll();
  CHECK_SUCCESS(alpi_task_suspend_mode_set(self, ALPI_SUSPEND_MODE_TIMEOUT_SUBMIT, 20000));
  CHECK_SUCCESS(alpi_task_suspend(self));
}

static void poll_and_sleep(void* argument) {
  for (;;) {
    atomic_fetch_add((atomic_int*)argument, 1);
    poll();
    CHECK_SUCCESS(alpi_task_waitfor_ns(50000, NULL));
  }
}

static void initialise(void) {
  CHECK_SUCCESS(alpi_version_check(1, 0));
  CHECK_SUCCESS(alpi_feature_check(15));
  CHECK_SUCCESS(alpi_cpu_count(&g_count));
  CHECK(g_count <= kMostProcessors);
  for (uint64_t i = 0; i < g_count; ++i)
    CHECK((g_queues[i].requests = calloc(kCapacity, sizeof(Request))) != NULL);
  CHECK_SUCCESS(alpi_task_spawn(poll_again_and_again, &g_polls[0], ignore, NULL, "polling", NULL));
  CHECK_SUCCESS(alpi_task_spawn(poll_and_sleep, &g_polls[1], ignore, NULL, "polling", NULL));
}

static void put(Request request) {
  uint64_t id = UINT64_MAX;
  CHECK_SUCCESS(alpi_cpu_logical_id(&id));
  CHECK(id < g_count);
  Queue* const queue = &g_queues[id];
  queue->requests[queue->tail % kCapacity] = request;
  atomic_store(&queue->ready, ++queue->tail);
}

/// *value becomes wanted before it returns.
static void receive(int* value, int wanted, int polls) {
  struct alpi_task* const self = self_task();
  put((Request){self, value, wanted, polls, 1});
  CHECK_SUCCESS(alpi_task_block(self));
  CHECK(*value == wanted);
}

/// *value becomes wanted before the task is complete.
static void receive_later(int* value, int wanted, int polls) {
  struct alpi_task* const self = self_task();
  CHECK_SUCCESS(alpi_task_events_increase(self, 1));
  put((Request){self, value, wanted, polls, 0});
}

static void finalise(void) {
  for (int i = 0; i < 3; ++i) CHECK_SUCCESS(alpi_task_waitfor_ns(1000000, NULL));
  for (int i = 0; i < 2; ++i) wait_for_number(&g_polls[i], 1);
}

// -- the program

enum { kColumns = 16, kRows = 40 };
static int g_cells[kRows][kColumns];

static void steps_follow_their_data(void) {
  memset(g_cells, 0, sizeof g_cells);
#pragma omp parallel
#pragma omp single
  for (int row = 1; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const int left = (column + kColumns - 1) % kColumns;
#pragma omp task firstprivate(row, column, left) \
    depend(in : g_cells[row - 1][column], g_cells[row - 1][left]) depend(out : g_cells[row][column])
      {
        const int wanted = g_cells[row - 1][column] + g_cells[row - 1][left] % 7 + 1;
        const int polls = (row * 5 + column) % 4;
        if ((row + column) % 3 == 0)
          receive(&g_cells[row][column], wanted, polls);
        else
          receive_later(&g_cells[row][column], wanted, polls);
        if ((row + column) % 5 == 0) {  // several at a time
          int other = 0;
          receive(&other, wanted + 1, 1);
        }
      }
    }
  }
  int expected[2][kColumns] = {{0}};
  for (int row = 1; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      const int* const before = expected[(row - 1) % 2];
      const int left = (column + kColumns - 1) % kColumns;
      expected[row % 2][column] = before[column] + before[left] % 7 + 1;
      CHECK(g_cells[row][column] == expected[row % 2][column]);
    }
  }
}

int main(void) {
  find_alpi();
  initialise();
  int value = 0;
  for (int i = 1; i <= 20; ++i) receive(&value, i, i % 3);  // the initial thread
  for (int i = 0; i < 3; ++i) {
    steps_follow_their_data();
    receive(&value, 100 + i, 2);
  }
#pragma omp parallel
  {
    int own = 0;
    for (int i = 1; i <= 20; ++i) receive(&own, i, i % 3);  // implicit tasks
  }
  finalise();
  CHECK(atomic_load(&g_completed) > kColumns * (kRows - 1) * 3);
}
