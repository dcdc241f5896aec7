// Each region has exactly the threads it asked for, numbered from 0, whatever the size of the one before.
// OpenMP 5.1, 2.6 parallel construct.
#include <omp.h>

#include "check.h"

int main(void) {
  static const int sizes[] = {1, 8, 3, 5, 2, 7, 1, 4, 8, 6};
  omp_set_dynamic(0);
  for (int round = 0; round < 20; round++) {
    for (int k = 0; k < 10; k++) {
      int size = sizes[(k + round) % 10];
      int members[8] = {0};
      int tasks = 0;
#pragma omp parallel num_threads(size) shared(members, tasks, size)
      {
        CHECK(omp_get_num_threads() == size);
        int self = omp_get_thread_num();
        CHECK(self >= 0 && self < size);
        members[self]++;
#pragma omp barrier
        CHECK(members[(self + 1) % size] == 1);
#pragma omp task shared(tasks)
        {
#pragma omp atomic
          tasks++;
        }
      }
      for (int i = 0; i < 8; i++) CHECK(members[i] == (i < size));
      CHECK(tasks == size);
    }
  }
  return 0;
}
