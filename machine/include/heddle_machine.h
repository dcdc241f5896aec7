/* What code that runs on the simulated machine calls: the runtime in place of instructions, and a program
 * that says how long it computes. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The calling thread computes for so many nanoseconds. Programs declare it weak: it is null on a real
 * machine. */
void heddle_machine_compute(double ns);
/* The hint of a thread that spins. */
void heddle_machine_pause(void);
/* The processor's clock, in nanoseconds. */
uint64_t heddle_machine_ticks(void);

#ifdef __cplusplus
}
#endif
