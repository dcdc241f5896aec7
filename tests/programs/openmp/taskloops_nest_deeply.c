// A task of a taskloop may meet a taskloop, and so on: each loop waits for its own tasks, and every iteration
// of all of them runs once. OpenMP 5.1, 2.12.2 taskloop construct.
#include <omp.h>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

static long leaves;

static void tree(int depth) {
  if (depth == 0) {
#pragma omp atomic
    leaves++;
    return;
  }
  int done[3] = {0, 0, 0};
#pragma omp taskloop grainsize(1) shared(done)
  for (int i = 0; i < 3; i++) {
    tree(depth - 1);
    done[i]++;
  }
  for (int i = 0; i < 3; i++) CHECK(done[i] == 1);
}

static void tree_without_groups(int depth) {
  if (depth == 0) {
#pragma omp atomic
    leaves++;
    return;
  }
#pragma omp taskloop grainsize(1) nogroup
  for (int i = 0; i < 3; i++) tree_without_groups(depth - 1);
}

// One chain of loops, one in the other, deeper than the runtime nests tasks in their own creation.
static void chain(int depth) {
  if (depth == 0) return;
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 2; i++) {
    if (i == 1) chain(depth - 1);
#pragma omp atomic
    leaves++;
  }
}

static void matrix(void) {
  static int cells[200][150];
#pragma omp taskloop grainsize(1) shared(cells)
  for (int i = 0; i < 200; i++) {
#pragma omp taskloop grainsize(1) shared(cells) firstprivate(i)
    for (int k = 0; k < 150; k++) cells[i][k]++;
#pragma omp taskloop num_tasks(7) shared(cells) firstprivate(i) nogroup
    for (int k = 0; k < 150; k++) {
#pragma omp atomic
      cells[i][k]++;
    }
  }
  for (int i = 0; i < 200; i++) {
    for (int k = 0; k < 150; k++) {
      CHECK(cells[i][k] == 2);
      cells[i][k] = 0;
    }
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 3; round++) {
    leaves = 0;
    tree(7);
    CHECK(leaves == 2187);
    leaves = 0;
#pragma omp taskgroup
    tree_without_groups(7);
    CHECK(leaves == 2187);
    leaves = 0;
    chain(200);
    CHECK(leaves == 400);
    matrix();
  }
  return 0;
}
