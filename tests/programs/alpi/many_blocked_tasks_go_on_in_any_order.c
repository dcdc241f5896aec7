// Ten thousand tasks are blocked at a time; they are unblocked in random order, by tasks and from outside.
#include "support.h"

#include <omp.h>

// Sanitizers know a limited number of stacks, and each costs them megabytes.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { kTasks = 500 };
#else
enum { kTasks = 10000 };
#endif

typedef struct {
  struct alpi_task* task;
  int letter;
  int is_back;
} Blocked;

static Blocked g_blocked[kTasks];
static int g_order[kTasks];
static atomic_int g_published;

static void shuffle(unsigned seed) {
  for (int i = 0; i < kTasks; ++i) g_order[i] = i;
  for (int i = kTasks - 1; i > 0; --i) {
    seed = seed * 1664525u + 1013904223u;
    const int j = (int)((seed >> 8) % (unsigned)(i + 1));
    const int other = g_order[i];
    g_order[i] = g_order[j];
    g_order[j] = other;
  }
}

static void block(Blocked* blocked) {
  blocked->task = self_task();
  atomic_fetch_add(&g_published, 1);
  CHECK_SUCCESS(alpi_task_block(blocked->task));
  CHECK(blocked->letter != 0);
  ++blocked->is_back;
}

static void unblock(int begin, int end) {
  for (int i = begin; i < end; ++i) {
    Blocked* const blocked = &g_blocked[g_order[i]];
    blocked->letter = i + 1;
    CHECK_SUCCESS(alpi_task_unblock(blocked->task));
  }
}

static void* unblock_first_half(void* argument) {
  unblock(0, kTasks / 2);
  return argument;
}

static void start(void) {
  memset(g_blocked, 0, sizeof g_blocked);
  atomic_store(&g_published, 0);
}

static void check_all_are_back(void) {
  for (int i = 0; i < kTasks; ++i) CHECK(g_blocked[i].is_back == 1);
}

static void tasks_of_a_region(void) {
  start();
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    block(&g_blocked[i]);
  }
  wait_for_number(&g_published, kTasks);
  const pthread_t thread = start_foreign_thread(unblock_first_half, NULL);
  unblock(kTasks / 2, kTasks);
#pragma omp taskwait
  pthread_join(thread, NULL);
  check_all_are_back();
}

static void body(void* argument) {
  block(argument);
}

static void spawned_tasks(void) {
  atomic_int ends = 0;
  start();
  for (int i = 0; i < kTasks; ++i)
    CHECK_SUCCESS(alpi_task_spawn(body, &g_blocked[i], count_up, &ends, NULL, NULL));
  wait_for_number(&g_published, kTasks);
  CHECK(ends == 0);
  const pthread_t thread = start_foreign_thread(unblock_first_half, NULL);
  unblock(kTasks / 2, kTasks);
  wait_for_number(&ends, kTasks);
  pthread_join(thread, NULL);
  check_all_are_back();
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 0));
  for (unsigned seed = 1; seed <= 2; ++seed) {
    shuffle(seed);
#pragma omp parallel
#pragma omp single
    tasks_of_a_region();
    shuffle(seed + 10);
    spawned_tasks();
  }
}
