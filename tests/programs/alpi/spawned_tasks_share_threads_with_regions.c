// What spawned tasks have left to do with a thread, and what its region does, go on beside each other.
#include "support.h"

#include <omp.h>

// Whatever descends from it, it is done afterwards.
static void parent_of_a_parent(void* argument) {
  atomic_int* const grandchildren = argument;
#pragma omp task firstprivate(grandchildren)
  {
#pragma omp task firstprivate(grandchildren)
    {
      CHECK_SUCCESS(alpi_task_waitfor_ns(200000, NULL));
      atomic_fetch_add(grandchildren, 1);
    }
  }
}

static void grandchild_is_complete(void* argument) {
  CHECK(atomic_fetch_add((atomic_int*)argument, 1) == 1);
}

static void they_end_with_their_descendants(void) {
  atomic_int counts[5] = {0};
  for (int i = 0; i < 5; ++i)
    CHECK_SUCCESS(alpi_task_spawn(parent_of_a_parent, &counts[i], grandchild_is_complete, &counts[i],
                                  "grandparent", NULL));
  for (int i = 0; i < 5; ++i) wait_for_number(&counts[i], 2);
}

// Who holds a lock lets a spawned task have the thread, which wants it: it goes on when the owner has.
static omp_lock_t g_lock;

static void wants_the_lock(void* argument) {
  atomic_int* const began = argument;
  atomic_fetch_add(began, 1);
  omp_set_lock(&g_lock);
  CHECK_SUCCESS(alpi_task_waitfor_ns(20000, NULL));  // nor does its thread's other task wait for it in vain
  omp_unset_lock(&g_lock);
}

static void they_share_locks_with_regions(void) {
  atomic_int began = 0, ends = 0;
  omp_init_lock(&g_lock);
  omp_set_lock(&g_lock);
  for (int i = 0; i < 3; ++i)
    CHECK_SUCCESS(alpi_task_spawn(wants_the_lock, &began, count_up, &ends, "lock", NULL));
  wait_for_number(&began, 1);
  omp_unset_lock(&g_lock);
  for (int i = 0; i < 20; ++i) {
    omp_set_lock(&g_lock);
    omp_unset_lock(&g_lock);
    CHECK_SUCCESS(alpi_task_waitfor_ns(1000, NULL));
  }
  wait_for_number(&ends, 3);
  omp_destroy_lock(&g_lock);
}

// A region of one waits for another.
static atomic_int g_told;

static void tells(void* argument) {
  (void)argument;
  atomic_store(&g_told, 1);
}

static void waits_in_a_region(void* argument) {
  (void)argument;
#pragma omp parallel num_threads(2)
  wait_for_number(&g_told, 1);
}

static void their_regions_wait_for_others(void) {
  atomic_int ends = 0;
  atomic_store(&g_told, 0);
  CHECK_SUCCESS(alpi_task_spawn(waits_in_a_region, NULL, count_up, &ends, "waits", NULL));
  CHECK_SUCCESS(alpi_task_spawn(tells, NULL, count_up, &ends, "tells", NULL));
  wait_for_number(&ends, 2);
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  for (int i = 0; i < 20; ++i) {
#pragma omp parallel
#pragma omp single
    {
      they_end_with_their_descendants();
      they_share_locks_with_regions();
      their_regions_wait_for_others();
    }
    they_end_with_their_descendants();
    they_share_locks_with_regions();
    their_regions_wait_for_others();
  }
}
