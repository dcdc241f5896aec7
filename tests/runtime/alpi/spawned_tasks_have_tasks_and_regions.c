// Spawned tasks may have tasks, dependences and regions of their own, wherever they run.
#include "support.h"

#include <omp.h>

static int g_x;

static void chain_of_its_own(void* argument) {
  int sum = 0;
  for (int i = 0; i < 20; ++i) {
#pragma omp task depend(inout : g_x) shared(sum) firstprivate(i)
    sum = sum * 2 % 1009 + i;
  }
#pragma omp taskwait
  int expected = 0;
  for (int i = 0; i < 20; ++i) expected = expected * 2 % 1009 + i;
  CHECK(sum == expected);
#pragma omp taskgroup
  {
    for (int i = 0; i < 10; ++i) {
#pragma omp task shared(sum)
      {
#pragma omp atomic
        ++sum;
      }
    }
  }
  CHECK(sum == expected + 10);
  atomic_fetch_add((atomic_int*)argument, 1);
}

// A task of the region holds g_x; the spawned task's own, on the same address, run nevertheless.
static void their_dependences_are_their_own(void) {
  atomic_int bodies = 0, ends = 0;
#pragma omp task depend(out : g_x) shared(bodies, ends)
  {
    CHECK_SUCCESS(alpi_task_spawn(chain_of_its_own, &bodies, count_up, &ends, "chain", NULL));
    wait_for_number(&ends, 1);
    CHECK(bodies == 1);
  }
#pragma omp taskwait
}

// Its children are not the region's: no taskwait of the region's waits for them, nor need they end before it.
static void blocks_with_children(void* argument) {
  task_slot* const slot = argument;
  int letter = 0;
#pragma omp task shared(letter)
  letter = 1;
  struct alpi_task* const self = self_task();
  atomic_store(slot, self);
  CHECK_SUCCESS(alpi_task_block(self));
#pragma omp taskwait
  CHECK(letter == 1);
}

// It is done when its children are complete, also where it does not wait for them itself.
typedef struct {
  atomic_int children;
  int values[20];
} Family;

static void parent_of_many(void* argument) {
  Family* const family = argument;
  for (int i = 0; i < 20; ++i) {
#pragma omp task firstprivate(family, i) depend(out : family -> values[i])
    {
      CHECK_SUCCESS(alpi_task_waitfor_ns(1000, NULL));
      family->values[i] = i;
    }
#pragma omp task firstprivate(family, i) depend(in : family -> values[i])
    {
      CHECK(family->values[i] == i);
      atomic_fetch_add(&family->children, 1);
    }
  }
}

static void all_children_are_complete(void* argument) {
  Family* const family = argument;
  CHECK(family->children == 20);
  atomic_store(&family->children, 21);
}

static void they_end_with_their_children(void) {
  Family families[5] = {0};
  for (int i = 0; i < 5; ++i)
    CHECK_SUCCESS(alpi_task_spawn(parent_of_many, &families[i], all_children_are_complete, &families[i],
                                  "family", NULL));
  for (int i = 0; i < 5; ++i) wait_for_number(&families[i].children, 21);
}

static void region_inside(void* argument) {
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += omp_get_num_threads();
  CHECK(sum == 1 || sum == 4);
  atomic_fetch_add((atomic_int*)argument, 1);
}

static void they_have_regions(void) {
  atomic_int bodies = 0, ends = 0;
  for (int i = 0; i < 10; ++i)
    CHECK_SUCCESS(alpi_task_spawn(region_inside, &bodies, count_up, &ends, "region", NULL));
  wait_for_number(&ends, 10);
  CHECK(bodies == 10);
}

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
    check_that_regions_end_before(blocks_with_children);
#pragma omp parallel
#pragma omp single
    {
      their_dependences_are_their_own();
      they_end_with_their_children();
      they_end_with_their_descendants();
      they_share_locks_with_regions();
      their_regions_wait_for_others();
      they_have_regions();
    }
    they_end_with_their_children();
    they_end_with_their_descendants();
    they_share_locks_with_regions();
    their_regions_wait_for_others();
    they_have_regions();
  }
}
