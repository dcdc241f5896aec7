#include "patterns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static const double kLengthsNs[] = {20000, 10000, 5000, 2000, 1000, 500, 200};
enum {
  kLengths = sizeof kLengthsNs / sizeof *kLengthsNs,
  kMostTasks = 20000,
  kLeastTasks = 480,
  kChainsAThread = 2,
  kMostRepetitions = 1000
};
static const double kWorkNs = 10e6;  // of one thread in a repetition, unless --work says otherwise

Work work;
static long iterations;
static Cell* cells;      // of chains, and of the stencil: two rows
static uint32_t* slots;  // of independent tasks, one each
static uint32_t* expected;

// -- bodies

void independent_body(long i) {
  compute(iterations);
  slots[i] = mixed(slots[i], (uint32_t)i);
}

void* chain_place(long i) {
  return &cells[i % work.chains];
}

void chain_body(long i) {
  Cell* const cell = &cells[i % work.chains];
  compute(iterations);
  cell->value = mixed(cell->value, (uint32_t)i);
}

static Cell* column(long step, long j) {
  return &cells[(step & 1) * kWidth + (j < 0 ? 0 : j < kWidth ? j : kWidth - 1)];
}

void* column_place(long step, long j) {
  return column(step, j);
}

void stencil_body(long i) {
  const long step = i / kWidth, j = i % kWidth;
  const uint32_t left = column(step, j - 1)->value, middle = column(step, j)->value,
                 right = column(step, j + 1)->value;
  compute(iterations);
  column(step + 1, j)->value = mixed(mixed(left, middle), right);
}

typedef struct {
  const char* name;
  const char* meaning;
  void (*body)(long);
} Description;

static const Description kDescriptions[kPatterns] = {
    [kIndependent] = {"independent", "tasks without dependences, created by one thread", independent_body},
    [kChains] = {"chains", "two chains a thread, created in turn", chain_body},
    [kStencil] = {"stencil", "16 columns, each step waits for three neighbours of the one before",
                  stencil_body},
    [kBursts] = {"bursts", "64 independent tasks, a taskwait, 64 more", independent_body},
};

// -- results

static void reset(void) {
  for (long c = 0; c < 2 * kWidth + work.chains; ++c) cells[c].value = (uint32_t)c;
  memset(slots, 0, sizeof *slots * (size_t)work.tasks);
}

// Everything that bodies wrote, as one row.
static void copy_result(uint32_t* to) {
  for (long c = 0; c < 2 * kWidth + work.chains; ++c) to[c] = cells[c].value;
  memcpy(to + 2 * kWidth + work.chains, slots, sizeof *slots * (size_t)work.tasks);
}

static bool is_expected(void) {
  for (long c = 0; c < 2 * kWidth + work.chains; ++c) {
    if (expected[c] != cells[c].value) return false;
  }
  return memcmp(expected + 2 * kWidth + work.chains, slots, sizeof *slots * (size_t)work.tasks) == 0;
}

// -- measuring

static double serial_ns(Pattern pattern) {
  reset();
  const double start = now_ns();
  for (long i = 0; i < work.tasks; ++i) kDescriptions[pattern].body(i);
  return now_ns() - start;
}

static double parallel_ns(Request request, int point) {
  reset();
  const double start = now_ns();
  request.form->execute(request.pattern, point);
  return now_ns() - start;
}

static bool measure_all(Request request, int threads, int processors) {
  static double serial[kMostRepetitions], parallel[kMostRepetitions];
  double at_a_microsecond = 0;
  bool is_right = true;
  for (int p = 0; p < kLengths && is_right; ++p) {
    iterations = iterations_of(kLengthsNs[p]);
    const long tasks = (long)(request.work_ns * threads / kLengthsNs[p]) / kWidth * kWidth;
    work.tasks = tasks < kLeastTasks ? kLeastTasks : tasks > kMostTasks ? kMostTasks : tasks;
    serial_ns(request.pattern);
    copy_result(expected);
    // Threads wake up and a graph is recorded: that does not count.
    parallel_ns(request, p);
    long count = 0;
    const double end = now_ns() + request.seconds * 1e9 / kLengths;
    do {
      serial[count] = serial_ns(request.pattern);
      parallel[count] = parallel_ns(request, p);
      is_right = is_right && is_expected();
      ++count;
    } while (is_right && count < request.most_repetitions && (count < 3 || now_ns() < end));
    const double all_ns = sorted_median(serial, count);
    const double efficiency = all_ns / (processors * sorted_median(parallel, count));
    if (kLengthsNs[p] == 1000) at_a_microsecond = 100 * efficiency;
    printf("point=%d task_ns=%.0f body_ns=%.1f efficiency=%.4f tasks=%ld repetitions=%ld\n", p, kLengthsNs[p],
           all_ns / (double)work.tasks, efficiency, work.tasks, count);
  }
  printf("pattern=%s threads=%d value=%.2f verified=%s\n", kDescriptions[request.pattern].name, threads,
         at_a_microsecond, is_right ? "yes" : "no");
  return is_right;
}

bool measure(Request request, int threads, int processors) {
  work.chains = (long)kChainsAThread * threads;
  cells = allocated(2 * kWidth + work.chains, sizeof *cells);
  slots = allocated(kMostTasks, sizeof *slots);
  expected = allocated(kMostTasks + 2 * kWidth + work.chains, sizeof *expected);
  const bool is_right = measure_all(request, threads, processors < threads ? processors : threads);
  free(cells);
  free(slots);
  free(expected);
  return is_right;
}

// -- the command line

static Pattern pattern_of(const char* name) {
  for (int p = 0; p < kPatterns; ++p) {
    if (strcmp(kDescriptions[p].name, name) == 0) return (Pattern)p;
  }
  refuse("there is no pattern '%s'; %s --list shows what there is", name, program_name);
}

static const Form* form_of(const char* name, const Form* forms, int count) {
  for (int f = 0; f < count; ++f) {
    if (strcmp(forms[f].name, name) == 0) return &forms[f];
  }
  refuse("--form %s: there are tasks and graph", name);
}

static double number(const char* name, const char* text, double least, double most) {
  char* end = NULL;
  const double value = text != NULL ? strtod(text, &end) : 0;
  if (text == NULL || end == text || *end != '\0' || !(value >= least && value <= most))
    refuse("%s %s: give a number from %.10g to %.10g", name, text != NULL ? text : "", least, most);
  return value;
}

Request requested(int argc, char** argv, const Form* forms, int count) {
  Request request = {kPatterns, &forms[0], 1, kMostRepetitions, kWorkNs};
  for (int a = 1; a < argc; ++a) {
    if (strcmp(argv[a], "--list") == 0) {
      for (int p = 0; p < kPatterns; ++p)
        printf("%-12s %s\n", kDescriptions[p].name, kDescriptions[p].meaning);
      exit(0);
    }
    if (strcmp(argv[a], "--form") == 0) {
      request.form = form_of(argv[a + 1] != NULL ? argv[a + 1] : "", forms, count), ++a;
    } else if (strcmp(argv[a], "--seconds") == 0) {
      request.seconds = number(argv[a], argv[a + 1], 0, 1e6), ++a;
    } else if (strcmp(argv[a], "--repetitions") == 0) {
      request.most_repetitions = (long)number(argv[a], argv[a + 1], 1, kMostRepetitions), ++a;
    } else if (strcmp(argv[a], "--work") == 0) {
      request.work_ns = 1e6 * number(argv[a], argv[a + 1], 0.01, 1e4), ++a;
    } else if (argv[a][0] == '-' || request.pattern != kPatterns) {
      refuse(
          "'%s' is not understood; %s PATTERN [--form tasks|graph] [--seconds S] [--repetitions N] "
          "[--work MS]",
          argv[a], program_name);
    } else {
      request.pattern = pattern_of(argv[a]);
    }
  }
  if (request.pattern == kPatterns) refuse("name a pattern; %s --list shows what there is", program_name);
  if (!request.form->has[request.pattern])
    refuse("%s has no form %s here", kDescriptions[request.pattern].name, request.form->name);
  return request;
}
