#include "measure.h"

#include <omp.h>
#include <stdlib.h>

#include "heddle.h"

// Nanoseconds of one repetition.
typedef struct {
  double first, later;  // a row takes first, and later for each other iteration
} Times;

static double firsts[kMostRepetitions], laters[kMostRepetitions];

// The region is met in this one function, so that it has one record.
static void execute(const Kernel* kernel, bool is_first, bool waits) {
  if (work.form == kGraph) {
    HEDDLE_TASKGRAPH(.graph_reset = is_first, .nogroup = kernel->is_pipelined)
    kernel->create();
  } else {
    kernel->create();
  }
  if (waits) {
#pragma omp taskwait
  }
}

// What one of `count` iterations takes that took so long in all, the first of them so long as that. In it a
// record becomes a graph, which does not count. A team whose iterations overlap does nothing else in it: its
// tasks are executed later.
static double mean_of_row(const Kernel* kernel, double total, double first, long count) {
  if (work.form != kGraph) return total / (double)count;
  const bool is_making_alone = kernel->is_pipelined && work.threads > 1;
  return (total - first) / (double)(is_making_alone ? count : count - 1);
}

// What a row of iterations took, one by one. A record becomes a graph in one of those after the first, once:
// that counts as the first, too.
static Times told_by(const Kernel* kernel, double* iterations, long count) {
  double total = 0;
  for (long i = 0; i < count; ++i) total += iterations[i];
  if (count == 1) return (Times){total, total};
  const double first = iterations[0];
  const double later = kernel->counts_rows && count > 2
                           ? mean_of_row(kernel, total - first, iterations[1], count - 1)
                           : sorted_median(iterations + 1, count - 1);
  const double rest = total - later * (double)(count - 1);
  return (Times){rest > first ? rest : first, later};
}

// Of a row of iterations by one thread that creates tasks, or by all, which meet in share().
static Times iterate(const Kernel* kernel) {
  double* const took = allocated(work.iterations, sizeof *took);
  for (long i = 0; i < work.iterations; ++i) {
    const bool is_first = i == 0, is_last = i + 1 == work.iterations;
    if (kernel->restore != NULL) {
      if (work.form == kLoops) {
#pragma omp single
        kernel->restore();
      } else {
        kernel->restore();
      }
    }
    const double start = now_ns();
    if (work.form == kLoops) {
      kernel->share();
    } else {
      execute(kernel, is_first, !kernel->is_pipelined || is_first || is_last);
    }
    took[i] = now_ns() - start;
  }
  const Times times = told_by(kernel, took, work.iterations);
  free(took);
  return times;
}

static Times repeat(const Kernel* kernel, Budget budget, bool* verified) {
  Times times = {0, 0};
  kernel->reset();
#pragma omp parallel
  {
    if (work.form == kLoops) {
      const Times mine = iterate(kernel);
      if (omp_get_thread_num() == 0) times = mine;
    }
    // The same thread each time, so that the record is found again. The others wait in the barrier for
    // tasks.
    if (work.form != kLoops && omp_get_thread_num() == 0) times = iterate(kernel);
  }
  if (budget.spoils) kernel->spoil();
  *verified = *verified && kernel->verify();
  return times;
}

// The first repetition warms up and does not count, unless it alone took the time that there is.
Result measure(const Kernel* kernel, Budget budget) {
  Result result = {.verified = true};
  const double limit = budget.seconds * 1e9;
  double spent = 0;
  long count = 0;
  work.threads = omp_get_max_threads();
  kernel->prepare();
  const Times warm = repeat(kernel, budget, &result.verified);
  const double warm_spent = warm.first + warm.later * (double)(work.iterations - 1);
  const bool has_time = budget.repetitions > 0 || warm_spent <= limit;
  while (result.verified && has_time && count < kMostRepetitions &&
         (count == 0 || (budget.repetitions > 0 ? count < budget.repetitions : spent < limit))) {
    const Times times = repeat(kernel, budget, &result.verified);
    firsts[count] = times.first;
    laters[count++] = times.later;
    spent += times.first + times.later * (double)(work.iterations - 1);
  }
  if (count == 0) {
    firsts[count] = warm.first;
    laters[count++] = warm.later;
  }
  kernel->finish();
  result.repetitions = count;
  result.first = sorted_median(firsts, count);
  result.cold = warm.first;
  result.value = sorted_median(laters, count);
  result.least = laters[0];
  result.most = laters[count - 1];
  return result;
}
