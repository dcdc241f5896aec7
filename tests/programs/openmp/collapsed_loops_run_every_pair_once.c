// A collapsed nest runs every combination of its iterations once, with steps, types and bounds of each level.
// OpenMP 5.1, 2.11.4 worksharing-loop construct, collapse clause.
#include <omp.h>

#include "check.h"

static int runs[7][11][5];

static void check(int times) {
  for (int i = 0; i < 7; i++) {
    for (int j = 0; j < 11; j++) {
      for (int k = 0; k < 5; k++) CHECK(runs[i][j][k] == times);
    }
  }
}

int main(void) {
  int empty = 0;
#pragma omp parallel for collapse(3) schedule(dynamic, 4)
  for (int i = 0; i < 7; i++)
    for (unsigned long long j = 11; j > 0; j--)
      for (long k = 0; k < 10; k += 2) runs[i][j - 1][k / 2]++;
  check(1);
#pragma omp parallel for collapse(3) schedule(guided)
  for (long long i = 6; i >= 0; i--)
    for (int j = 0; j < 11; j++)
      for (int k = 4; k >= 0; k--) runs[i][j][k]++;
  check(2);
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 11; j++)
      for (int k = 0; k < 5; k++) runs[i][j][k]++;
  check(3);
  for (int n = 0; n < 2; n++) {
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : empty)
    for (int i = 0; i < n * 5; i++)
      for (int j = 0; j < 5 - n * 5; j++) empty++;
  }
  CHECK(empty == 0);
  return 0;
}
