// Runs one kernel in one form and says what came of it.
#pragma once

#include "forms.h"

/// How long and how often. repetitions: 0 for as many as the seconds allow.
typedef struct {
  double seconds;
  long repetitions;
  bool spoils;  // falsify each result before it is checked
} Budget;

enum { kMostRepetitions = 10000 };

/// What came of a kernel, in nanoseconds an iteration. value, least and most are over the repetitions, of
/// each the median of its iterations after the first; where they overlap the mean of those after the second.
typedef struct {
  double value, least, most;
  double first;  // what a repetition takes beyond that for each of the others: its first iteration, in which
                 // a taskgraph is recorded, and the making of the graph; the median
  double cold;  // of the process's first repetition: nothing is in a cache, and the memory of tasks was never
                // touched
  long repetitions;
  bool verified;
} Result;

/// Runs the kernel, with `work` filled in. Ensures: nothing of the kernel is left.
Result measure(const Kernel* kernel, Budget budget);
