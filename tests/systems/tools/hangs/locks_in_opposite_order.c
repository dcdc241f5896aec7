// Two threads take two locks in opposite order.
//
// says: they wait in a cycle: the implicit task of thread
// attach says: for a lock; its owner cannot be seen without HEDDLE_WATCHDOG
#include <omp.h>

static omp_lock_t first, second;
static int turns;

__attribute__((noinline)) static void take_first_first(void) {
  omp_set_lock(&first);  // culprit, seen by the watchdog
#pragma omp barrier
  turns += 1;
  omp_set_lock(&second);  // culprit
  omp_unset_lock(&first);
}

__attribute__((noinline)) static void take_second_first(void) {
  omp_set_lock(&second);  // culprit, seen by the watchdog
#pragma omp barrier
  turns += 2;
  omp_set_lock(&first);  // culprit
  omp_unset_lock(&second);
}

int main(void) {
  omp_init_lock(&first);
  omp_init_lock(&second);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    take_first_first();
  else
    take_second_first();
  return turns;
}
