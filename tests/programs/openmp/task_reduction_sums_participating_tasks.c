// A taskgroup's task_reduction combines what every participating task contributed, at any depth, and arrays
// of it. OpenMP 5.1, 2.21.5.5 task_reduction clause and 2.21.5.6 in_reduction clause.
#include <omp.h>

#include "check.h"

static void walk(int depth, long* counter) {
  long count = 0;
#pragma omp taskgroup task_reduction(+ : count)
  for (int i = 0; i < depth; i++) {
#pragma omp task in_reduction(+ : count)
    {
      long part = 0;
      walk(i, &part);
      count += part;
    }
  }
  *counter = count + 1;
}

static void sum_sections(long* bins, int n) {
  for (int b = 0; b < n; b++) bins[b] = b;
#pragma omp taskgroup task_reduction(+ : bins[0 : n])
  for (int i = 0; i < 100 * n; i++) {
    // One task is for the thread that ends the group: Clang 19 tells a thread the section's length in such
    // tasks only.
#pragma omp task in_reduction(+ : bins[0 : n]) if (i > 0)
    bins[i % n] += 3;
  }
  for (int b = 0; b < n; b++) CHECK(bins[b] == b + 300);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; round++) {
    long count = 0;
    walk(9, &count);
    CHECK(count == 512);

    int sum = 7;
    int most = -1;
    unsigned product = 1;
    long bins[10];
    for (int b = 0; b < 10; b++) bins[b] = b;
#pragma omp taskgroup task_reduction(+ : sum, bins) task_reduction(max : most) task_reduction(* : product)
    for (int i = 0; i < 200; i++) {
#pragma omp task in_reduction(+ : sum, bins) in_reduction(max : most) in_reduction(* : product)
      {
        sum += i;
        bins[i % 10] += 2;
        if (i > most) most = i;
        if (i < 31) product *= 2;
#pragma omp task in_reduction(+ : sum, bins) if (i % 3 != 0)
        {
          sum += 1;
          bins[i / 20] += 1;
        }
#pragma omp taskwait
      }
    }
    CHECK(sum == 7 + 199 * 100 + 200 && most == 199 && product == 1u << 31);
    for (int b = 0; b < 10; b++) CHECK(bins[b] == b + 40 + 20);
    sum_sections(bins, 1 + round % 9);
  }
  return 0;
}
