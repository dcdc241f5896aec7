// The patterns of tasks, their bodies, and how their efficiency is measured: what programs for different task
// systems share.
//
// Words: a *body* computes for about so long and writes what depends on the order of those that it waits for.
// *Efficiency* is the time of all bodies, one after the other without tasks, over processors x time with
// tasks; both are medians of repetitions that alternate. Bodies may *sleep* in place of computing: then many
// threads share few processors, and efficiency is the time that bodies have slept over threads x time with
// tasks: what the order of tasks and who gets which leave of it, whatever a task costs.
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { kIndependent, kChains, kStencil, kBursts, kPatterns } Pattern;

enum { kBurst = 64 };

/// What is measured now.
typedef struct {
  long tasks;
  long chains;   // task i belongs to chain i % chains
  long columns;  // of the stencil
} Work;

extern Work work;

/// Executes body i of a pattern.
void independent_body(long i);  // of bursts, too
void chain_body(long i);
/// Step i / columns of column i % columns reads three columns of the step before. The outermost read
/// themselves.
void stencil_body(long i);

/// What a task of a chain updates; what a task of the stencil reads and writes: it differs from step to step.
void* chain_place(long i);
void* column_place(long step, long j);

/// A way of executing a pattern's tasks. execute() returns when all bodies have ended; `point` tells lengths
/// of tasks apart.
typedef struct {
  const char* name;
  bool has[kPatterns];
  void (*execute)(Pattern pattern, int point);
} Form;

typedef struct {
  Pattern pattern;
  const Form* form;
  double seconds;
  long most_repetitions;
  double work_ns;  // of one thread in a repetition
  bool sleeps;
  long columns;        // 0: 16, or two a thread where bodies sleep
  double least_share;  // of what a thread sleeps on average, that each has to; where bodies sleep
  double slow;         // how many times as long bodies sleep on every second thread, as on a hybrid processor
} Request;

/// What the command line asks for. Errors: ends the program, with status 2 where it is wrong.
Request requested(int argc, char** argv, const Form* forms, int count);

/// Prints a line for each length, then one for the pattern. Returns whether every result was right.
bool measure(Request request, int threads, int processors);

#ifdef __cplusplus
}
#endif
