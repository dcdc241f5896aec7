#include "measure.h"

#include <math.h>
#include <omp.h>

#include "heddle.h"

static double samples[kMostSamples];
static double noted_bytes;
static double noted_moves;
static double moves[kMostSamples];

void note_memory(double bytes_per_task) {
  noted_bytes = bytes_per_task;
}

void note_moves(double percent) {
  noted_moves = percent;
}

// A kernel is set up anew for each measurement, which so many others came before.
static unsigned long set_up;

static void create(const Kernel* kernel, bool resets) {
  if (work.graph == 0) {
    kernel->create();
#pragma omp taskwait
    return;
  }
  HEDDLE_TASKGRAPH(.graph_id = set_up, .graph_reset = resets, .if_false = kernel->is_no_graph)
  kernel->create();
}

// Nanoseconds of one repetition, from the first task's creation to the last one's end.
static double repeat(const Kernel* kernel, bool* verified) {
  kernel->reset();
  const double start = now_ns();
  create(kernel, work.graph == 2);
  const double taken = now_ns() - start;
  *verified = *verified && kernel->verify();
  // Regions whose records are reset before they have been of use are not recorded any more.
  for (int replay = 0; replay < 2 && work.graph == 2; ++replay) {
    kernel->reset();
    create(kernel, false);
    *verified = *verified && kernel->verify();
  }
  return taken;
}

// What came of a repetition.
static void keep(long index, double sample) {
  samples[index] = sample;
  moves[index] = noted_moves;
}

static void summarise(long count, double scale, Result* result) {
  result->repetitions = count;
  result->value = sorted_median(samples, count) * scale;
  result->moves = sorted_median(moves, count);
  result->least = samples[0] * scale;
  result->most = samples[count - 1] * scale;
}

// The first repetition warms up and does not count, unless it alone took the time that there is.
static void take_times(const Kernel* kernel, Budget budget, Result* result) {
  const double limit = budget.seconds * 1e9;
  double spent = 0;
  long count = 0;
  const double warm = repeat(kernel, &result->verified);
  if (warm > limit && budget.repetitions <= 1) {
    keep(count++, warm);
    spent = warm;
  }
  while (result->verified && count < kMostSamples &&
         (count == 0 || (budget.repetitions > 0 ? count < budget.repetitions : spent < limit))) {
    keep(count, repeat(kernel, &result->verified));
    spent += samples[count++];
  }
  if (count == 0) keep(count++, warm);
  summarise(count, 1.0 / (double)work.tasks, result);
}

static void take_once(const Kernel* kernel, Result* result) {
  keep(0, repeat(kernel, &result->verified));
  summarise(1, 1.0 / (double)work.tasks, result);
}

static void take_bytes(const Kernel* kernel, Result* result) {
  repeat(kernel, &result->verified);
  keep(0, noted_bytes);
  summarise(1, 1.0, result);
}

// The shortest task with an efficiency of one half, between the two lengths around it.
static double metg(const Result* result) {
  for (int p = result->point_count - 1; p > 0; --p) {
    const Point *longer = &result->points[p - 1], *shorter = &result->points[p];
    if (shorter->efficiency >= 0.5) return 0;
    if (longer->efficiency < 0.5) continue;
    const double part = (longer->efficiency - 0.5) / (longer->efficiency - shorter->efficiency);
    return exp(log(longer->task_ns) + part * (log(shorter->task_ns) - log(longer->task_ns)));
  }
  return 0;
}

// Shortens the body by the square root of two from point to point; the least time of each counts, since what
// disturbs a repetition only ever adds to it.
static void sweep(const Kernel* kernel, Budget budget, Result* result) {
  const int processors = work.threads < omp_get_num_procs() ? work.threads : omp_get_num_procs();
  const long repetitions = budget.repetitions > 0 ? budget.repetitions : 3;
  double best = 0;
  repeat(kernel, &result->verified);
  const double longest = (double)(work.grain > 0 ? work.grain : 1);
  for (double length = longest; length >= 1 && result->point_count < kMostPoints && result->verified;
       length /= sqrt(2)) {
    work.grain = (long)length;
    double least = 1e300;
    for (long r = 0; r < repetitions && result->verified; ++r)
      least = fmin(least, repeat(kernel, &result->verified));
    const double rate = (double)work.grain / least;
    best = fmax(best, rate);
    result->points[result->point_count++] =
        (Point){work.grain, least * processors / (double)work.tasks, rate};
    if (rate < best / 20) break;
  }
  for (int p = 0; p < result->point_count; ++p) result->points[p].efficiency /= best;
  result->value = result->least = result->most = metg(result);
  result->repetitions = repetitions;
}

void measure(const Kernel* kernel, Budget budget, Result* result) {
  *result = (Result){.verified = true};
  noted_moves = 0;  // another kernel's
#pragma omp parallel
#pragma omp single
  {
    work.threads = omp_get_num_threads();
    if (work.width < 0) work.width *= -work.threads;
    ++set_up;
    kernel->prepare();
    switch (kernel->measure) {
      case kTimes:
        take_times(kernel, budget, result);
        break;
      case kOnce:
        take_once(kernel, result);
        break;
      case kBytes:
        take_bytes(kernel, result);
        break;
      case kSweep:
        sweep(kernel, budget, result);
        break;
    }
    kernel->finish();
  }
}
