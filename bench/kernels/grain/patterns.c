#include "patterns.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support.h"

typedef struct {
  int count;
  double ns[7];
  double judged_by;  // the length whose efficiency is the pattern's value
} Lengths;
static const Lengths kComputing = {7, {20000, 10000, 5000, 2000, 1000, 500, 200}, 1000};
static const Lengths kSleeping = {5, {5e6, 2e6, 1e6, 0.5e6, 0.2e6}, 1e6};
enum {
  kMostTasks = 20000,
  kLeastTasks = 480,
  kLeastSleepsAThread = 40,
  kChainsAThread = 2,
  kColumnsAThread = 2,  // where bodies sleep
  kColumns = 16,
  kMostThreads = 1024,
  kMostRepetitions = 1000
};
static const double kWorkNs = 10e6;  // of one thread in a repetition, unless --work says otherwise

Work work;
static long iterations;
static double sleep_ns;            // where bodies sleep; 0: they compute
static double slow = 1;            // how many times as long they sleep on every second thread
static _Atomic uint64_t slept_ns;  // by all bodies of a repetition
static _Atomic uint64_t
    asked_ns[kMostThreads];  // to sleep, of each thread that has executed any, in all repetitions
static _Atomic int threads_seen;
static _Thread_local int thread_number = -1;
static Cell* cells;      // of chains, and of the stencil: two rows
static uint32_t* slots;  // of independent tasks, one each
static uint32_t* expected;

// -- bodies

static void sleep_and_count(void) {
  if (thread_number < 0) thread_number = atomic_fetch_add(&threads_seen, 1) % kMostThreads;
  const double asked = thread_number % 2 == 0 ? sleep_ns : slow * sleep_ns;
  atomic_fetch_add(&asked_ns[thread_number], (uint64_t)asked);
  const double start = now_ns();
  nanosleep(&(struct timespec){.tv_nsec = (long)asked}, NULL);
  atomic_fetch_add(&slept_ns, (uint64_t)(now_ns() - start));
}

static inline void compute_or_sleep(void) {
  if (sleep_ns > 0)
    sleep_and_count();
  else
    compute(iterations);
}

void independent_body(long i) {
  compute_or_sleep();
  slots[i] = mixed(slots[i], (uint32_t)i);
}

void* chain_place(long i) {
  return &cells[i % work.chains];
}

void chain_body(long i) {
  Cell* const cell = &cells[i % work.chains];
  compute_or_sleep();
  cell->value = mixed(cell->value, (uint32_t)i);
}

static Cell* column(long step, long j) {
  const long last = work.columns - 1;
  return &cells[(step & 1) * work.columns + (j < 0 ? 0 : j < last ? j : last)];
}

void* column_place(long step, long j) {
  return column(step, j);
}

void stencil_body(long i) {
  const long step = i / work.columns, j = i % work.columns;
  const uint32_t left = column(step, j - 1)->value, middle = column(step, j)->value,
                 right = column(step, j + 1)->value;
  compute_or_sleep();
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
    [kStencil] = {"stencil", "columns, each step waits for three neighbours of the one before", stencil_body},
    [kBursts] = {"bursts", "64 independent tasks, a taskwait, 64 more", independent_body},
};

// -- results

static long number_of_cells(void) {
  return 2 * work.columns + work.chains;
}

static void reset(void) {
  for (long c = 0; c < number_of_cells(); ++c) cells[c].value = (uint32_t)c;
  memset(slots, 0, sizeof *slots * (size_t)work.tasks);
}

// Everything that bodies wrote, as one row.
static void copy_result(uint32_t* to) {
  for (long c = 0; c < number_of_cells(); ++c) to[c] = cells[c].value;
  memcpy(to + number_of_cells(), slots, sizeof *slots * (size_t)work.tasks);
}

static bool is_expected(void) {
  for (long c = 0; c < number_of_cells(); ++c) {
    if (expected[c] != cells[c].value) return false;
  }
  return memcmp(expected + number_of_cells(), slots, sizeof *slots * (size_t)work.tasks) == 0;
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
  const Lengths* const lengths = request.sleeps ? &kSleeping : &kComputing;
  const long least_tasks = request.sleeps ? kLeastSleepsAThread * (long)threads : kLeastTasks;
  double value = 0;
  bool is_right = true;
  for (int p = 0; p < lengths->count && is_right; ++p) {
    const double length = lengths->ns[p];
    const long wanted = (long)(request.work_ns * threads / length);
    work.tasks = wanted < least_tasks ? least_tasks : wanted > kMostTasks ? kMostTasks : wanted;
    const long steps = work.tasks / work.columns;
    work.tasks = (steps > 0 ? steps : 1) * work.columns;
    sleep_ns = 0;
    iterations = request.sleeps ? 1 : iterations_of(length);
    serial_ns(request.pattern);
    copy_result(expected);
    if (request.sleeps) sleep_ns = length;
    // Threads wake up and a graph is recorded: that does not count.
    parallel_ns(request, p);
    long count = 0;
    const double end = now_ns() + request.seconds * 1e9 / lengths->count;
    do {
      if (!request.sleeps) serial[count] = serial_ns(request.pattern);
      atomic_store(&slept_ns, 0);
      parallel[count] = parallel_ns(request, p);
      if (request.sleeps) serial[count] = (double)atomic_load(&slept_ns);
      is_right = is_right && is_expected();
      ++count;
    } while (is_right && count < request.most_repetitions && (count < 3 || now_ns() < end));
    const double all_ns = sorted_median(serial, count);
    const double efficiency = all_ns / (processors * sorted_median(parallel, count));
    if (length == lengths->judged_by) value = 100 * efficiency;
    printf("point=%d task_ns=%.0f body_ns=%.1f efficiency=%.4f tasks=%ld repetitions=%ld\n", p, length,
           all_ns / (double)work.tasks, efficiency, work.tasks, count);
  }
  printf("pattern=%s threads=%d value=%.2f verified=%s\n", kDescriptions[request.pattern].name, threads,
         value, is_right ? "yes" : "no");
  return is_right;
}

// Whether each thread has had its share of the sleep.
static bool has_balance(int threads, double least_share) {
  uint64_t all = 0, least = UINT64_MAX;
  for (int t = 0; t < threads; ++t) {
    const uint64_t of_thread = atomic_load(&asked_ns[t]);
    all += of_thread;
    if (of_thread < least) least = of_thread;
  }
  const double share = (double)least * threads / (double)all;
  printf("average_ms=%.0f least_ms=%.0f share=%.3f\n", (double)all / threads / 1e6, (double)least / 1e6,
         share);
  return share >= least_share;
}

bool measure(Request request, int threads, int processors) {
  if (threads > kMostThreads)
    refuse("%d threads are too many; set OMP_NUM_THREADS to %d or fewer", threads, kMostThreads);
  slow = request.slow;
  work.chains = (long)kChainsAThread * threads;
  work.columns = request.columns > 0 ? request.columns
                 : request.sleeps    ? kColumnsAThread * (long)threads
                                     : kColumns;
  const long most_tasks =
      kMostTasks > kLeastSleepsAThread * (long)threads ? kMostTasks : kLeastSleepsAThread * (long)threads;
  cells = allocated(number_of_cells(), sizeof *cells);
  slots = allocated(most_tasks, sizeof *slots);
  expected = allocated(most_tasks + number_of_cells(), sizeof *expected);
  bool is_right =
      measure_all(request, threads, request.sleeps || processors > threads ? threads : processors);
  if (request.sleeps) is_right &= has_balance(threads, request.least_share);
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

static bool are_to_sleep(const char* name) {
  if (strcmp(name, "sleep") != 0 && strcmp(name, "compute") != 0)
    refuse("--bodies %s: they compute or sleep", name);
  return strcmp(name, "sleep") == 0;
}

static double number(const char* name, const char* text, double least, double most) {
  char* end = NULL;
  const double value = text != NULL ? strtod(text, &end) : 0;
  if (text == NULL || end == text || *end != '\0' || !(value >= least && value <= most))
    refuse("%s %s: give a number from %.10g to %.10g", name, text != NULL ? text : "", least, most);
  return value;
}

Request requested(int argc, char** argv, const Form* forms, int count) {
  Request request = {kPatterns, &forms[0], 1, kMostRepetitions, kWorkNs, false, 0, 0, 1};
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
    } else if (strcmp(argv[a], "--bodies") == 0) {
      request.sleeps = are_to_sleep(argv[a + 1] != NULL ? argv[a + 1] : ""), ++a;
    } else if (strcmp(argv[a], "--columns") == 0) {
      request.columns = (long)number(argv[a], argv[a + 1], 1, kLeastTasks), ++a;
    } else if (strcmp(argv[a], "--slow") == 0) {
      request.slow = number(argv[a], argv[a + 1], 1, 100), ++a;
    } else if (strcmp(argv[a], "--least-share") == 0) {
      request.least_share = number(argv[a], argv[a + 1], 0, 1), ++a;
    } else if (argv[a][0] == '-' || request.pattern != kPatterns) {
      refuse(
          "'%s' is not understood; %s PATTERN [--form tasks|graph] [--bodies compute|sleep] [--columns N] "
          "[--slow TIMES] [--least-share SHARE] [--seconds S] [--repetitions N] [--work MS]",
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
