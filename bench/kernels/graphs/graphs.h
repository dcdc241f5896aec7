// What the kernels of the taskgraph benchmarks share.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "forms.h"

extern const Kernel kListing1, kHeat, kHeatPipelined, kNbody, kAxpy, kDotp, kCholesky, kHog, kCg;

/// The next of a row of numbers from 0 to below 1 that look random.
static inline double drawn(uint32_t* state) {
  *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
  return (double)(*state >> 8) / (1 << 24);
}

/// Ends the program with status 2 where the kernel has fewer pieces than --grain asks for.
static inline void require_grain(long most) {
  if (work.grain > most)
    refuse("--grain %ld: --size %ld has %ld pieces at most", work.grain, work.size, most);
}
