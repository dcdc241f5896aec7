// What the kernels of the taskgraph benchmarks share. They are those of Yu, Royuela and Quiñones,
// "Taskgraph: a low contention OpenMP tasking framework" (arXiv 2212.04771), section 5.
//
// Words: an *iteration* does a kernel's work once, in *pieces*: blocks, chunks or tiles. The *grain* says
// how many pieces there are. The *form* is how an iteration is executed: its tasks are created each time,
// or replayed from a taskgraph, or there are loops in place of tasks. A *repetition* is a row of iterations
// from the same start.
//
// Kept by every kernel: a task shares only variables of file scope, and its firstprivate ones are the same
// in every iteration, so that create() serves tasks and taskgraphs alike. The order of operations on each
// number is fixed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "support.h"

typedef enum { kTasks, kGraph, kLoops, kFormCount } Form;

/// What the current kernel works on. The driver fills it in but for tasks, which prepare() does.
typedef struct {
  Form form;
  long size;        // of the problem, as the kernel says
  long grain;       // pieces, as the kernel says
  long iterations;  // of a repetition
  long tasks;       // that create() creates
  int threads;      // of the team
} Work;

extern Work work;

/// One kernel. prepare, reset, restore, verify, spoil and finish are called by one thread while there are
/// no tasks.
typedef struct {
  const char* name;
  const char* meaning;    // a line of --list
  long size, grain;       // unless --size and --grain say otherwise
  long iterations;        // unless --iterations says otherwise
  void (*prepare)(void);  // allocates, computes what a repetition must leave
  void (*reset)(void);    // before each repetition
  void (*restore)(void);  // before each iteration, not in its time; may be null
  void (*create)(void);   // creates an iteration's tasks; the caller waits for them
  void (*share)(void);    // executes an iteration by loops; called by all threads, ends with a barrier
  bool (*verify)(void);   // after each repetition
  void (*spoil)(void);    // falsifies one number of the result, to show that verify() sees it
  void (*finish)(void);   // frees
  bool is_pipelined;      // iterations do not wait for each other, but each task for what it depends on
  bool counts_rows;  // an iteration takes what a row of them takes by their number: else the median of them
} Kernel;

extern const Kernel kListing1, kHeat, kHeatPipelined, kNbody, kAxpy, kDotp, kCholesky, kHog, kCg;

/// Where a piece begins if so many share the length; where piece + 1 begins it ends.
static inline long first_of(long piece, long pieces, long length) {
  return length * piece / pieces;
}

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
