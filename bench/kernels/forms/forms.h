// A benchmark whose work is executed in three forms, and what its kernels share with the driver in this
// folder. The benchmarks are those of Yu, Royuela and Quiñones, "Taskgraph: a low contention OpenMP tasking
// framework" (arXiv 2212.04771), section 5.
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

#include "support.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  bool has_fixed_size;    // which --size cannot change
  bool is_pipelined;      // iterations do not wait for each other, but each task for what it depends on
  bool counts_rows;  // an iteration takes what a row of them takes by their number: else the median of them
} Kernel;

/// The kernels of a program, in the order of --list. Defined by the benchmark.
extern const Kernel* const kernels[];
extern const int kernel_count;

/// Where a piece begins if so many share the length; where piece + 1 begins it ends.
static inline long first_of(long piece, long pieces, long length) {
  return length * piece / pieces;
}

#ifdef __cplusplus
}
#endif
