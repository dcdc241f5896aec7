// A lock excludes, omp_test_lock says whether it was had; a nest lock may be set again by the task that owns
// it, and counts. OpenMP 5.1, 3.9 lock routines.
#include <omp.h>

#include "check.h"

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  CHECK(omp_test_lock(&lock));
  CHECK(omp_test_nest_lock(&nest) == 1 && omp_test_nest_lock(&nest) == 2);
  omp_set_nest_lock(&nest);
  CHECK(omp_test_nest_lock(&nest) == 4);
#pragma omp parallel num_threads(2)
  {
    CHECK(!omp_test_lock(&lock));
    if (omp_get_thread_num() == 1) CHECK(omp_test_nest_lock(&nest) == 0);
  }
  for (int i = 0; i < 4; i++) omp_unset_nest_lock(&nest);
  omp_unset_lock(&lock);
  CHECK(omp_test_nest_lock(&nest) == 1);
  omp_unset_nest_lock(&nest);
  long plain = 0;
  long nested = 0;
  long tried = 0;
  int team = 1;
#pragma omp parallel shared(plain, nested, tried, team)
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int i = 0; i < 500; i++) {
      omp_set_lock(&lock);
      plain++;
      omp_unset_lock(&lock);
      omp_set_nest_lock(&nest);
      nested++;
      omp_set_nest_lock(&nest);
      nested++;
      omp_unset_nest_lock(&nest);
      nested++;
      omp_unset_nest_lock(&nest);
      if (omp_test_lock(&lock)) {
        tried++;
        plain++;
        omp_unset_lock(&lock);
      }
    }
  }
  CHECK(plain == 500L * team + tried && nested == 1500L * team);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
