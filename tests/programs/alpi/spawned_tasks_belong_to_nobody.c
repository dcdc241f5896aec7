// Spawned tasks run before, between and inside of regions; they are nobody's children, have dependences of
// their own, and may do what any task may.
#include "support.h"

#include <omp.h>

typedef struct {
  atomic_int bodies, ends;
  int letter;
} Spawned;

static void write_letter(void* argument) {
  Spawned* const spawned = argument;
  spawned->letter = 5;
  atomic_fetch_add(&spawned->bodies, 1);
}

static void read_letter_at_the_end(void* argument) {
  Spawned* const spawned = argument;
  CHECK(spawned->bodies == 1 && spawned->letter == 5);
  spawned->letter = 6;
  atomic_fetch_add(&spawned->ends, 1);
}

static void one_runs(void) {
  Spawned spawned = {0};
  CHECK_SUCCESS(
      alpi_task_spawn(write_letter, &spawned, read_letter_at_the_end, &spawned, "writes a letter", NULL));
  wait_for_number(&spawned.ends, 1);
  CHECK(spawned.letter == 6);
}

static void unblock(void* task) {
  CHECK_SUCCESS(alpi_task_unblock(task));
}

// Every thread waits at the barrier, and one of them has to execute it.
static void they_run_where_threads_wait(void) {
  atomic_int ends = 0;
  task_slot slot = NULL;
#pragma omp parallel shared(ends, slot)
  {
#pragma omp single
    {
#pragma omp task
      {
        atomic_store(&slot, self_task());
        CHECK_SUCCESS(alpi_task_block(self_task()));
      }
      wait_for_task(&slot);
      CHECK_SUCCESS(alpi_task_spawn(unblock, atomic_load(&slot), count_up, &ends, NULL, NULL));
    }
  }
  wait_for_number(&ends, 1);
}

// -- nested

typedef struct {
  atomic_int* bodies;
  atomic_int* ends;
  int depth;
} Tree;

static void end_of_tree(void* argument) {
  Tree* const tree = argument;
  atomic_fetch_add(tree->ends, 1);
  free(tree);
}

static void spawn_tree(atomic_int* bodies, atomic_int* ends, int depth);

static void body_of_tree(void* argument) {
  Tree* const tree = argument;
  if (tree->depth % 2 == 0) CHECK_SUCCESS(alpi_task_waitfor_ns(1000, NULL));
  atomic_fetch_add(tree->bodies, 1);
  for (int i = 0; i < 2 && tree->depth > 0; ++i) spawn_tree(tree->bodies, tree->ends, tree->depth - 1);
}

static void spawn_tree(atomic_int* bodies, atomic_int* ends, int depth) {
  Tree* const tree = malloc(sizeof *tree);
  *tree = (Tree){bodies, ends, depth};
  CHECK_SUCCESS(alpi_task_spawn(body_of_tree, tree, end_of_tree, tree, "tree", NULL));
}

static void spawned_tasks_spawn_others(void) {
  enum { kDepth = 7 };
  atomic_int bodies = 0, ends = 0;
  spawn_tree(&bodies, &ends, kDepth);
  wait_for_number(&ends, (2 << kDepth) - 1);
  CHECK(bodies == (2 << kDepth) - 1);
}

// -- regions

// No wait of a region waits for it, nor need it end before the region does.
static void block(void* argument) {
  task_slot* const slot = argument;
  struct alpi_task* const self = self_task();
  atomic_store(slot, self);
  CHECK_SUCCESS(alpi_task_block(self));
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  one_runs();
  spawned_tasks_spawn_others();
  for (int i = 0; i < 20; ++i) {
    they_run_where_threads_wait();
    check_that_regions_end_before(block);
#pragma omp parallel
#pragma omp single
    {
      one_runs();
#pragma omp task
      spawned_tasks_spawn_others();
    }
    one_runs();
  }
}
