// Runs one kernel and says what came of it.
#pragma once

#include "tasks.h"

/// How long and how often. repetitions: 0 for as many as the seconds allow.
typedef struct {
  double seconds;
  long repetitions;
} Budget;

/// One task length of a sweep.
typedef struct {
  long iterations;    // of compute() in a body
  double task_ns;     // time times processors over tasks: Task Bench's granularity
  double efficiency;  // work per time over the best of the sweep
} Point;

enum { kMostSamples = 100000, kMostPoints = 100 };

/// What came of a kernel. value is the median of the repetitions, least and most their range; for a sweep all
/// three are METG(50 %), or 0 where no task length of the sweep was below 50 %.
typedef struct {
  double value, least, most;
  double moves;  // see note_moves(); the median
  long repetitions;
  bool verified;
  int point_count;
  Point points[kMostPoints];
} Result;

/// Runs the kernel, with `work` filled in, in a parallel region of its own.
/// Ensures: nothing of the kernel is left.
void measure(const Kernel* kernel, Budget budget, Result* result);
