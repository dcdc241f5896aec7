// Whatever else its thread did meanwhile, a task that goes on finds its thread, its stack, its registers and
// its control variables as it left them.
#include <fenv.h>
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

#include "check.h"
#include "heddle.h"
#include "outsider.h"

enum { kTasks = 60, kRounds = 8 };

static outsider g_outsider;
static int g_private;
#pragma omp threadprivate(g_private)

// Deep enough that another stack would show.
static uint64_t descend_and_wait(int depth, uint64_t seed) {
  volatile uint64_t kept[32];
  for (int i = 0; i < 32; i++) kept[i] = seed * 31 + (uint64_t)i;
  uint64_t below = 0;
  if (depth > 0) {
    below = descend_and_wait(depth - 1, seed + 1);
  } else {
    const omp_event_handle_t event = omp_task_continuation_event();
    hand_to(&g_outsider, event);
    omp_taskwait_detach(event);
  }
  for (int i = 0; i < 32; i++) CHECK(kept[i] == seed * 31 + (uint64_t)i);
  return below + seed;
}

static void wait_and_compare(int number) {
  const int thread = omp_get_thread_num();
  const pthread_t system_thread = pthread_self();
  int* const address_of_private = &g_private;
  const int rounding = number % 2 == 0 ? FE_TONEAREST : FE_UPWARD;
  omp_set_num_threads(number + 1);
  omp_set_dynamic(number % 3 == 0);
  CHECK(fesetround(rounding) == 0);
  for (int round = 0; round < kRounds; round++) {
    // In registers that calls must keep.
    double a = number + 0.25 * round;
    uint64_t b = (uint64_t)(number * 1000 + round);
    const uint64_t sum = descend_and_wait(round, b);
    CHECK(sum == (uint64_t)(round + 1) * b + (uint64_t)(round * (round + 1) / 2));
    CHECK(a == number + 0.25 * round);
    CHECK(omp_get_thread_num() == thread);
    CHECK(pthread_equal(pthread_self(), system_thread));
    CHECK(&g_private == address_of_private);
    CHECK(omp_get_max_threads() == number + 1);
    CHECK(omp_get_dynamic() == (number % 3 == 0));
    CHECK(omp_get_level() == 1 && omp_in_parallel() == (omp_get_num_threads() > 1));
    CHECK(fegetround() == rounding);
  }
  CHECK(fesetround(FE_TONEAREST) == 0);
}

static void explicit_tasks(void) {
  int ended = 0;
#pragma omp parallel shared(ended)
#pragma omp for
  for (int i = 0; i < kTasks; i++) {
#pragma omp task shared(ended) firstprivate(i)
    {
      wait_and_compare(i);
#pragma omp atomic
      ended++;
    }
  }
  CHECK(ended == kTasks);
}

// Beside tasks that suspend on its thread.
static void implicit_tasks(void) {
#pragma omp parallel
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task
      wait_and_compare(3);
    }
    wait_and_compare(omp_get_thread_num());
  }
}

// A final task's descendants are included, and know it after they were suspended.
static void final_tasks(void) {
  int ended = 0;
#pragma omp parallel shared(ended)
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task final(1) shared(ended)
    {
      CHECK(omp_in_final());
#pragma omp task shared(ended)
      {
        descend_and_wait(2, 5);
        CHECK(omp_in_final());
#pragma omp atomic
        ended++;
      }
      descend_and_wait(1, 9);
      CHECK(omp_in_final());
    }
#pragma omp task
    {
      descend_and_wait(0, 1);
      CHECK(!omp_in_final());
    }
  }
  CHECK(ended == 10);
}

int main(void) {
  start_outsider(&g_outsider, 0);
  explicit_tasks();
  implicit_tasks();
  final_tasks();
  end_outsider(&g_outsider);
  return 0;
}
