// Atomic updates lose nothing, whatever the type: also those that no instruction of the machine can do at
// once. OpenMP 5.1, 2.19.7 atomic construct.
#include <omp.h>

#include "check.h"

int main(void) {
  enum { kRounds = 2000 };
  signed char tiny = 0;
  unsigned short small = 0;
  long long wide = 0;
  float single = 0;
  double product = 1;
  long long captured = 0;
  int largest = 0;
#ifndef __clang__
  long double extended = 0;
#endif
  int tickets[2 * kRounds] = {0};
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 0; i < 2 * kRounds; i++) {
    long long ticket;
#pragma omp atomic
    tiny ^= 1;
#pragma omp atomic update
    small++;
#pragma omp atomic
    wide = 3 - wide;
#pragma omp atomic
    single += 1;
#pragma omp atomic
    product *= (i % 2 != 0) ? 2 : 0.5;
#pragma omp atomic capture
    ticket = captured++;
#pragma omp atomic
    tickets[ticket]++;
#ifndef __clang__
#  pragma omp atomic
    extended += 0.5L;
#endif
    int now;
#pragma omp atomic read
    now = largest;
    if (now < 0) continue;
#pragma omp atomic write
    largest = 7;
  }
  CHECK(tiny == 0 && small == 2 * kRounds && wide == 0 && single == 2 * kRounds);
  CHECK(product == 1 && captured == 2 * kRounds && largest == 7);
#ifndef __clang__
  CHECK(extended == kRounds);
#endif
  for (int i = 0; i < 2 * kRounds; i++) CHECK(tickets[i] == 1);
  return 0;
}
