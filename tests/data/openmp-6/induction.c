// induction clause (6.0).
#include <omp.h>

int main(void) {
  int last = 0, x = 1;
#pragma omp parallel for num_threads(2) induction(step(2), + : x) lastprivate(last)
  for (int i = 0; i < 5; i++) {
    last = x;
    x += 2;
  }
  return last != 9;
}
