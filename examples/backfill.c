// Two kinds of work a step, as in a wave solver that hides its patches' inner cells (enclaves) behind the
// outer ones: the outer cells are on the critical path, the inner ones only have to be there a step later.
//
// The inner cells are background tasks: they fill in where a thread would idle. The wait for the outer ones
// is one for latency: it goes on the moment they are done, and never starts on an inner one.
#include <stdio.h>

#include "heddle.h"

enum { kPatches = 32, kSteps = 20, kInner = 400 };

static double outer[kPatches], inner[kPatches];

static double integrate(double value, int cells) {
  for (int i = 0; i < cells; i++) value = value * 0.999 + 0.001;
  return value;
}

int main(void) {
  for (int p = 0; p < kPatches; p++) outer[p] = inner[p] = p;
  if (heddle_is_here()) heddle_set_wait(heddle_wait_latency);
#pragma omp parallel
#pragma omp single
  for (int step = 0; step < kSteps; step++) {
    for (int p = 0; p < kPatches; p++) {
      if (heddle_is_here()) heddle_next_task_background();
#pragma omp task firstprivate(p) depend(inout : inner[p])
      inner[p] = integrate(inner[p], kInner);
    }
#pragma omp taskgroup
    for (int p = 0; p < kPatches; p++) {
#pragma omp task firstprivate(p) depend(inout : outer[p])
      outer[p] = integrate(outer[p], 10);
    }
    // Here the outer cells are exchanged with other ranks; what is left of the inner ones runs meanwhile.
    for (int p = 0; p < kPatches; p++) {
      // The next step's outer cells need this step's inner ones.
#pragma omp task firstprivate(p) depend(in : inner[p]) depend(inout : outer[p])
      outer[p] = 0.9 * outer[p] + 0.1 * inner[p];
    }
  }
  double sum = 0;
  for (int p = 0; p < kPatches; p++) sum += outer[p] + inner[p];
  printf("%d steps of %d patches, sum %.6f\n", kSteps, kPatches, sum);
  return 0;
}
