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
      they_have_regions();
    }
    they_end_with_their_children();
    they_have_regions();
  }
}
