// copyin assigns the primary thread's threadprivate value to every thread's copy at the start of the region.
// OpenMP 5.1, 2.21.6.1 copyin clause.
#include <omp.h>

#include "check.h"

namespace {

int number = 1;
#pragma omp threadprivate(number)

struct Table {
  long entries[40];
};
Table table;
#pragma omp threadprivate(table)

}  // namespace

int main() {
  for (int round = 0; round < 50; round++) {
    number = round;
    for (int i = 0; i < 40; i++) table.entries[i] = round * 100 + i;
    int threads = 0;
#pragma omp parallel copyin(number, table) shared(threads)
    {
      CHECK(number == round);
      for (int i = 0; i < 40; i++) CHECK(table.entries[i] == round * 100 + i);
#pragma omp barrier
      number = -omp_get_thread_num();
      table.entries[7] = omp_get_thread_num();
#pragma omp barrier
      CHECK(number == -omp_get_thread_num() && table.entries[7] == omp_get_thread_num());
#pragma omp atomic
      threads++;
    }
    CHECK(threads == omp_get_max_threads());
    CHECK(number == 0);
  }
  return 0;
}
