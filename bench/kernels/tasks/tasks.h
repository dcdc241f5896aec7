// What the kernels of the benchmark set share.
//
// Words: a *kernel* creates tasks in one way. A *repetition* creates all tasks of a kernel once and waits for
// them. The *grain* is how long a task's body computes. A *slot* is a number that one task alone writes, so
// that its kernel can tell afterwards whether the task ran, once and in its place.
//
// Kept by every kernel: free of data races, and the same result under every order of tasks that its
// dependences allow.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "support.h"

/// What the current kernel works on. The driver fills it in; prepare() may round `tasks` to what it really
/// creates.
typedef struct {
  long tasks;      // of one repetition
  long width;      // addresses, columns or generators, as the kernel says
  long size;       // the number of fib, the board of nqueens
  long grainsize;  // of taskloop
  long gap;        // iterations of compute() that producer puts between two tasks
  long grain;      // iterations of compute() in a body
  uint32_t seed;
  long graph;   // 0: tasks are created in every repetition, 1: recorded once and replayed, 2: recorded each
                // time
  int threads;  // of the team
} Work;

extern Work work;

/// One kernel. The functions are called by the thread that creates the tasks, inside the parallel region.
typedef struct {
  const char* name;
  const char* meaning;    // a line of --list
  long tasks;             // unless --tasks says otherwise; 0: follows from the size
  long width;             // unless --width says otherwise; below 0: so many a thread
  long size;              // unless --size says otherwise
  double grain_ns;        // unless --grain says otherwise
  void (*prepare)(void);  // allocates, computes what must come out
  void (*reset)(void);    // before each repetition
  void (*create)(void);   // creates the tasks; the caller waits for its children
  bool (*verify)(void);   // after each repetition
  void (*finish)(void);   // frees
  enum { kTimes, kOnce, kBytes, kSweep } measure;
  bool is_no_graph;  // create() computes outside its tasks as well: no record does without
} Kernel;

// measure: kTimes repeats and reports nanoseconds a task, kOnce does not repeat, kBytes reports the memory
// that note_memory() saw, kSweep shortens the grain step by step and reports METG(50 %).

extern const Kernel kPlainKernels[], kDependenceKernels[], kGraphKernels[], kRecursiveKernels[],
    kPatternKernels[], kLiveKernels[], kMixedKernels[],
    kLocalityKernels[];  // each ends with a nameless one

/// The next of a row of numbers that look random.
static inline uint32_t drawn(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/// Slots, one a task, zero at the start of each repetition. Kernels that use them name the four functions
/// below.
extern uint32_t* slots;
void prepare_slots(void);
void reset_slots(void);
bool every_slot_is_one(void);
void finish_slots(void);

/// Of this process, from /proc: resident now, and at most so far.
long resident_bytes(void);
long peak_resident_bytes(void);
/// Says how much memory the repetition's tasks took, each.
void note_memory(double bytes_per_task);
/// Says how many of a hundred tasks ran on another thread than the one that last wrote their data.
void note_moves(double percent);
