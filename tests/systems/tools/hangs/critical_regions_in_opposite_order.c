// Two tasks enter two critical regions, one inside the other, in opposite order.
//
// says: they wait in a cycle: the task of
static int inside;

static void wait_for_both(void) {
  int seen = 0;
#pragma omp atomic
  inside++;
  while (seen < 2) {
#pragma omp atomic read
    seen = inside;
  }
}

static void enter_left_first(void) {
#pragma omp critical(left)  // culprit, seen by the watchdog
  {
    wait_for_both();
#pragma omp critical(right)  // culprit
    inside++;
  }
}

static void enter_right_first(void) {
#pragma omp critical(right)  // culprit, seen by the watchdog
  {
    wait_for_both();
#pragma omp critical(left)  // culprit
    inside++;
  }
}

int main(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task
    enter_left_first();
#pragma omp task
    enter_right_first();
  }
  return 0;
}
