// Tasks with random in and inout dependences leave in every variable what executing them in order leaves.
// OpenMP 5.1, 2.19.11 depend clause.
#include <omp.h>

#include "check.h"

enum { kTasks = 4000, kSlots = 24 };
static unsigned state = 12345;
static int inputs[kTasks][4];
static int input_count[kTasks];
static int outputs[kTasks][2];
static int output_count[kTasks];
static unsigned actual[kSlots];
static unsigned wanted[kSlots];

static unsigned draw(unsigned limit) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % limit;
}

static void step(int task, unsigned* slots) {
  unsigned mix = (unsigned)task;
  for (int i = 0; i < input_count[task]; i++) mix = mix * 31u + slots[inputs[task][i]];
  for (int i = 0; i < output_count[task]; i++) {
    unsigned* slot = &slots[outputs[task][i]];
    *slot = *slot * 2654435761u + mix + (unsigned)i;
  }
}

int main(void) {
  for (int round = 0; round < 5; round++) {
    for (int t = 0; t < kTasks; t++) {
      input_count[t] = (int)draw(5);
      output_count[t] = (int)draw(3);
      for (int i = 0; i < 4; i++) inputs[t][i] = (int)draw(kSlots);
      for (int i = 0; i < 2; i++) outputs[t][i] = (int)draw(kSlots);
    }
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < kTasks; t++) {
#pragma omp task depend(iterator(int k = 0 : input_count[t]), in : actual[inputs[t][k]]) \
    depend(iterator(int k = 0 : output_count[t]), inout : actual[outputs[t][k]])
      step(t, actual);
      if (t % 1000 == 999) {
#pragma omp taskwait
      }
    }
    for (int t = 0; t < kTasks; t++) step(t, wanted);
    for (int i = 0; i < kSlots; i++) CHECK(actual[i] == wanted[i]);
  }
  return 0;
}
