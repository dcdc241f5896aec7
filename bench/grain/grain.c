// Efficiency over the length of tasks: how short a task may be before the runtime costs more than the work.
//
//   grain PATTERN [options]     prints a line for each length, then one for the pattern
//   grain --list                says which patterns there are
//
// Words: a *body* computes for about so long and writes what depends on the order of those that it waits for.
// *Efficiency* is the time of all bodies, one after the other without tasks, over processors x time with
// tasks; both are medians of repetitions that alternate. Exit status 1: a result is wrong. 2: the command
// line is.
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle.h"
#include "support.h"

const char program_name[] = "grain";

static const double kLengthsNs[] = {20000, 10000, 5000, 2000, 1000, 500, 200};
enum {
  kLengths = sizeof kLengthsNs / sizeof *kLengthsNs,
  kMostTasks = 20000,
  kLeastTasks = 480,
  kWidth = 16,
  kBurst = 64,
  kChainsAThread = 2,
  kMostRepetitions = 1000
};
static const double kWorkNs = 10e6;  // of one thread in a repetition

static long tasks, iterations, chains;
static int threads;
static Cell* cells;      // of chains, and of the stencil: two rows
static uint32_t* slots;  // of independent tasks, one each
static uint32_t* expected;

static void independent_body(long i) {
  compute(iterations);
  slots[i] = mixed(slots[i], (uint32_t)i);
}

static void create_independent(void) {
  for (long i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(i)
    independent_body(i);
  }
}

// As a program that has a few things to do at a time, and needs them all before it goes on.
static void create_bursts(void) {
  for (long first = 0; first < tasks; first += kBurst) {
    for (long i = first; i < first + kBurst && i < tasks; ++i) {
#pragma omp task firstprivate(i)
      independent_body(i);
    }
#pragma omp taskwait
  }
}

static void chain_body(long i) {
  Cell* const cell = &cells[i % chains];
  compute(iterations);
  cell->value = mixed(cell->value, (uint32_t)i);
}

static void create_chains(void) {
  for (long i = 0; i < tasks; ++i) {
#pragma omp task firstprivate(i) depend(inout : cells[i % chains])
    chain_body(i);
  }
}

// Step i / kWidth of column i % kWidth reads three columns of the step before. The outermost read themselves.
static Cell* column(long step, long j) {
  return &cells[(step & 1) * kWidth + (j < 0 ? 0 : j < kWidth ? j : kWidth - 1)];
}

static void stencil_body(long i) {
  const long step = i / kWidth, j = i % kWidth;
  const uint32_t left = column(step, j - 1)->value, middle = column(step, j)->value,
                 right = column(step, j + 1)->value;
  compute(iterations);
  column(step + 1, j)->value = mixed(mixed(left, middle), right);
}

static void create_stencil(void) {
  for (long i = 0; i < tasks; ++i) {
    const long step = i / kWidth, j = i % kWidth;
    Cell *const left = column(step, j - 1), *const middle = column(step, j),
                *const right = column(step, j + 1), *const to = column(step + 1, j);
    (void)left, (void)middle, (void)right, (void)to;
#pragma omp task firstprivate(i) depend(in : *left, *middle, *right) depend(out : *to)
    stencil_body(i);
  }
}

typedef struct {
  const char* name;
  const char* meaning;
  void (*create)(void);
  void (*body)(long);
  bool has_graph;  // nothing but tasks in one region: a taskgraph can replay it
} Pattern;

static const Pattern kPatterns[] = {
    {"independent", "tasks without dependences, created by one thread", create_independent, independent_body,
     true},
    {"chains", "two chains a thread, created in turn", create_chains, chain_body, true},
    {"stencil", "16 columns, each step waits for three neighbours of the one before", create_stencil,
     stencil_body, true},
    {"bursts", "64 independent tasks, a taskwait, 64 more", create_bursts, independent_body, false},
};
enum { kPatternCount = sizeof kPatterns / sizeof *kPatterns };

static void reset(void) {
  for (long c = 0; c < 2 * kWidth + chains; ++c) cells[c].value = (uint32_t)c;
  memset(slots, 0, sizeof *slots * (size_t)tasks);
}

// Everything that bodies wrote, as one row.
static void copy_result(uint32_t* to) {
  for (long c = 0; c < 2 * kWidth + chains; ++c) to[c] = cells[c].value;
  memcpy(to + 2 * kWidth + chains, slots, sizeof *slots * (size_t)tasks);
}

static bool is_expected(void) {
  for (long c = 0; c < 2 * kWidth + chains; ++c) {
    if (expected[c] != cells[c].value) return false;
  }
  return memcmp(expected + 2 * kWidth + chains, slots, sizeof *slots * (size_t)tasks) == 0;
}

static double serial_ns(const Pattern* pattern) {
  reset();
  const double start = now_ns();
  for (long i = 0; i < tasks; ++i) pattern->body(i);
  return now_ns() - start;
}

static double parallel_ns(const Pattern* pattern, bool is_graph, unsigned long id) {
  reset();
  const double start = now_ns();
  if (is_graph) {
    HEDDLE_TASKGRAPH(.graph_id = id) pattern->create();
  } else {
    pattern->create();
#pragma omp taskwait
  }
  return now_ns() - start;
}

static bool measure(const Pattern* pattern, bool is_graph, double seconds, long most_repetitions) {
  const int processors = threads < omp_get_num_procs() ? threads : omp_get_num_procs();
  static double serial[kMostRepetitions], parallel[kMostRepetitions];
  double at_a_microsecond = 0;
  bool is_right = true;
  for (int p = 0; p < kLengths && is_right; ++p) {
    iterations = iterations_of(kLengthsNs[p]);
    tasks = (long)(kWorkNs * threads / kLengthsNs[p]) / kWidth * kWidth;
    tasks = tasks < kLeastTasks ? kLeastTasks : tasks > kMostTasks ? kMostTasks : tasks;
    serial_ns(pattern);
    copy_result(expected);
    // Threads wake up and a graph is recorded: that does not count.
    parallel_ns(pattern, is_graph, (unsigned long)p);
    long count = 0;
    const double end = now_ns() + seconds * 1e9 / kLengths;
    do {
      serial[count] = serial_ns(pattern);
      parallel[count] = parallel_ns(pattern, is_graph, (unsigned long)p);
      is_right = is_right && is_expected();
      ++count;
    } while (is_right && count < most_repetitions && (count < 3 || now_ns() < end));
    const double body_ns = sorted_median(serial, count) / (double)tasks;
    const double efficiency = body_ns * (double)tasks / (processors * sorted_median(parallel, count));
    if (kLengthsNs[p] == 1000) at_a_microsecond = 100 * efficiency;
    printf("point=%d task_ns=%.0f body_ns=%.1f efficiency=%.4f tasks=%ld repetitions=%ld\n", p, kLengthsNs[p],
           body_ns, efficiency, tasks, count);
  }
  printf("pattern=%s threads=%d value=%.2f verified=%s\n", pattern->name, threads, at_a_microsecond,
         is_right ? "yes" : "no");
  return is_right;
}

static const Pattern* pattern_of(const char* name) {
  for (int p = 0; p < kPatternCount; ++p) {
    if (strcmp(kPatterns[p].name, name) == 0) return &kPatterns[p];
  }
  refuse("there is no pattern '%s'; grain --list shows what there is", name);
}

static double number(const char* name, const char* text, double least, double most) {
  char* end = NULL;
  const double value = text != NULL ? strtod(text, &end) : 0;
  if (text == NULL || end == text || *end != '\0' || !(value >= least && value <= most))
    refuse("%s %s: give a number from %.10g to %.10g", name, text != NULL ? text : "", least, most);
  return value;
}

int main(int argc, char** argv) {
  const Pattern* pattern = NULL;
  double seconds = 1, repetitions = kMostRepetitions;
  bool is_graph = false;
  for (int a = 1; a < argc; ++a) {
    if (strcmp(argv[a], "--list") == 0) {
      for (int p = 0; p < kPatternCount; ++p) printf("%-12s %s\n", kPatterns[p].name, kPatterns[p].meaning);
      return 0;
    }
    if (strcmp(argv[a], "--form") == 0) {
      const char* const form = argv[a + 1] != NULL ? argv[++a] : "";
      is_graph = strcmp(form, "graph") == 0;
      if (!is_graph && strcmp(form, "tasks") != 0) refuse("--form %s: there are tasks and graph", form);
    } else if (strcmp(argv[a], "--seconds") == 0) {
      seconds = number(argv[a], argv[a + 1], 0, 1e6), ++a;
    } else if (strcmp(argv[a], "--repetitions") == 0) {
      repetitions = number(argv[a], argv[a + 1], 1, kMostRepetitions), ++a;
    } else if (argv[a][0] == '-' || pattern != NULL) {
      refuse("'%s' is not understood; grain PATTERN [--form tasks|graph] [--seconds S] [--repetitions N]",
             argv[a]);
    } else {
      pattern = pattern_of(argv[a]);
    }
  }
  if (pattern == NULL) refuse("name a pattern; grain --list shows what there is");
  if (is_graph && !pattern->has_graph) refuse("%s waits between its tasks: no taskgraph", pattern->name);
  bool is_right = false;
#pragma omp parallel
#pragma omp single
  {
    threads = omp_get_num_threads();
    chains = (long)kChainsAThread * threads;
    cells = allocated(2 * kWidth + chains, sizeof *cells);
    slots = allocated(kMostTasks, sizeof *slots);
    expected = allocated(kMostTasks + 2 * kWidth + chains, sizeof *expected);
    is_right = measure(pattern, is_graph, seconds, (long)repetitions);
  }
  free(cells);
  free(slots);
  free(expected);
  return is_right ? 0 : 1;
}
