// Logical processor ids are below the count, differ between threads that run at the same time, and stay the
// same from one scheduling point to the next; so what is kept a processor needs no lock.
#include "support.h"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

enum { kMostProcessors = 4096 };

// Not atomic: a number that two threads had at once would be a race.
static struct {
  int is_in_use;
  long entries;
} g_slots[kMostProcessors];
static uint64_t g_count;

static uint64_t logical_id(void) {
  uint64_t id = UINT64_MAX;
  CHECK_SUCCESS(alpi_cpu_logical_id(&id));
  CHECK(id < g_count);
  return id;
}

static void use_slot(int steps) {
  const uint64_t id = logical_id();
  CHECK(g_slots[id].is_in_use == 0);
  g_slots[id].is_in_use = 1;
  for (int i = 0; i < steps; ++i) {
    ++g_slots[id].entries;
    if (i % 16 == 0) sched_yield();  // the system may move the thread, or run another
    CHECK(logical_id() == id);
  }
  g_slots[id].is_in_use = 0;
}

static long all_entries(void) {
  long sum = 0;
  for (uint64_t i = 0; i < g_count; ++i) sum += g_slots[i].entries;
  return sum;
}

static void the_count_is_fixed(void) {
  uint64_t count = 0;
  CHECK_SUCCESS(alpi_cpu_count(&count));
  CHECK(count > 0 && count <= kMostProcessors);
  if (g_count == 0) g_count = count;
  CHECK(count == g_count);
}

static void system_ids_are_the_systems(void) {
  cpu_set_t allowed;
  uint64_t id = UINT64_MAX;
  CHECK_SUCCESS(alpi_cpu_system_id(&id));
  CHECK(id < (uint64_t)sysconf(_SC_NPROCESSORS_CONF));
  CHECK(sched_getaffinity(0, sizeof allowed, &allowed) == 0);
  CHECK(CPU_ISSET(id, &allowed));
}

static void threads_of_a_region_differ(void) {
  static uint64_t ids[kMostProcessors];
  int threads = 0;
#pragma omp parallel shared(threads)
  {
    the_count_is_fixed();
    system_ids_are_the_systems();
#pragma omp single
    threads = omp_get_num_threads();
    ids[omp_get_thread_num()] = logical_id();
#pragma omp barrier
    for (int i = 0; i < threads; ++i) CHECK(i == omp_get_thread_num() || ids[i] != ids[omp_get_thread_num()]);
    for (int i = 0; i < 50; ++i) use_slot(20);
  }
}

enum { kTasks = 400, kTurns = 5, kSteps = 20 };

static void scheduling_point(int i, int turn) {
  if ((i + turn) % 3 == 0) CHECK_SUCCESS(alpi_task_waitfor_ns(0, NULL));
  if ((i + turn) % 3 == 1) CHECK_SUCCESS(alpi_task_waitfor_ns(1000, NULL));
  if ((i + turn) % 3 != 2) return;
  CHECK_SUCCESS(alpi_task_unblock(self_task()));
  CHECK_SUCCESS(alpi_task_block(self_task()));
}

static void tasks_use_slots(void) {
  const long before = all_entries();
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    for (int turn = 0; turn < kTurns; ++turn) {
      use_slot(kSteps);
      scheduling_point(i, turn);
    }
  }
  CHECK(all_entries() - before == (long)kTasks * kTurns * kSteps);
}

static void body(void* argument) {
  const int i = *(int*)argument;
  for (int turn = 0; turn < kTurns; ++turn) {
    use_slot(kSteps);
    scheduling_point(i, turn);
  }
  use_slot(kSteps);
}

// Spawned tasks go on with any thread.
static void spawned_tasks_use_slots(void) {
  static int numbers[kTasks];
  const long before = all_entries();
  atomic_int ends = 0;
  for (int i = 0; i < kTasks; ++i) {
    numbers[i] = i;
    CHECK_SUCCESS(alpi_task_spawn(body, &numbers[i], count_up, &ends, NULL, NULL));
  }
#pragma omp parallel
  {
    use_slot(kSteps);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 200; ++i) use_slot(kSteps);
#pragma omp master
    wait_for_number(&ends, kTasks);
  }
  const long expected = (long)kTasks * (kTurns + 1) * kSteps + (200 + omp_get_max_threads()) * (long)kSteps;
  CHECK(all_entries() - before == expected);
}

int main(void) {
  find_alpi();
  the_count_is_fixed();
  system_ids_are_the_systems();
  use_slot(100);
  CHECK(g_count >= (uint64_t)omp_get_max_threads());
  for (int i = 0; i < 3; ++i) {
    threads_of_a_region_differ();
    tasks_use_slots();
    spawned_tasks_use_slots();
  }
  CHECK(alpi_cpu_count(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_cpu_logical_id(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_cpu_system_id(NULL) == ALPI_ERR_PARAMETER);
}
