// The benchmark set: one program, a kernel a way of creating tasks.
//
//   tasks KERNEL[,KERNEL…]|all [options]     runs the kernels and prints a line each
//   tasks --list                             says which there are
//
// A line has words NAME=VALUE: value is the median over the repetitions, least and most their range, unit
// what they are; moves is the percentage of tasks that did not run where their data was, for kernels that
// tell. A sweep prints a line of words for each of its task lengths first. Exit status 1: a result
// is wrong. 2: the command line is.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

const char program_name[] = "tasks";

Work work;

static const Kernel* const kFamilies[] = {kPlainKernels,     kDependenceKernels, kGraphKernels,
                                          kRecursiveKernels, kPatternKernels,    kLiveKernels,
                                          kLocalityKernels,  kMixedKernels};
enum { kFamilyCount = sizeof kFamilies / sizeof *kFamilies };

// One option with a number. Negative: not given.
typedef struct {
  const char* name;
  const char* meaning;
  double value, least, most;
} Option;

enum {
  kTasksOption,
  kGrain,
  kSeconds,
  kRepetitions,
  kWidth,
  kSize,
  kGrainsize,
  kGap,
  kSeed,
  kGraph,
  kOptionCount
};
static Option options[kOptionCount] = {
    [kTasksOption] = {"--tasks", "tasks of a repetition", -1, 1, 4e9},
    [kGrain] = {"--grain", "nanoseconds that a body computes", -1, 0, 1e9},
    [kSeconds] = {"--seconds", "how long a kernel repeats", 0.3, 0, 1e6},
    [kRepetitions] = {"--repetitions", "how often, instead of --seconds", -1, 1, 1e5},
    [kWidth] = {"--width", "addresses, columns or generators, as --list says", -1, 1, 1e6},
    [kSize] = {"--size", "the number of fib, the board of nqueens", -1, 1, 40},
    [kGrainsize] = {"--grainsize", "iterations of a taskloop's task", 1, 1, 1e6},
    [kGap] = {"--gap", "nanoseconds between two tasks of producer", 300, 0, 1e9},
    [kSeed] = {"--seed", "chooses the graph of dag", 1, 0, 4e9},
    [kGraph] = {"--graph",
                "1: a taskgraph, replayed; 2: recorded in every repetition, which counts, and replayed", 0, 0,
                2},
};

static void print_list(void) {
  for (int f = 0; f < kFamilyCount; ++f) {
    for (const Kernel* k = kFamilies[f]; k->name != NULL; ++k) printf("%-13s %s\n", k->name, k->meaning);
  }
}

static void print_help(void) {
  puts("tasks KERNEL[,KERNEL...]|all [options]\ntasks --list\n");
  for (int o = 0; o < kOptionCount; ++o) printf("%-14s %s\n", options[o].name, options[o].meaning);
}

static void read_option(const char* name, const char* text) {
  for (int o = 0; o < kOptionCount; ++o) {
    Option* option = &options[o];
    if (strcmp(option->name, name) != 0) continue;
    if (text == NULL) refuse("%s lacks its number", name);
    char* end;
    errno = 0;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || errno != 0 || !(value >= option->least && value <= option->most)) {
      refuse("%s %s: give a number from %.10g to %.10g", name, text, option->least, option->most);
    }
    option->value = value;
    return;
  }
  refuse("there is no option '%s'; tasks --help shows what there is", name);
}

static bool is_named(const char* list, const char* name) {
  const size_t length = strlen(name);
  for (const char* word = list; word != NULL; word = strchr(word, ',')) {
    if (*word == ',') ++word;
    if (strncmp(word, name, length) == 0 && (word[length] == ',' || word[length] == '\0')) return true;
  }
  return false;
}

static const Kernel* kernel_of(const char* word, size_t length) {
  for (int f = 0; f < kFamilyCount; ++f) {
    for (const Kernel* k = kFamilies[f]; k->name != NULL; ++k) {
      if (strlen(k->name) == length && strncmp(k->name, word, length) == 0) return k;
    }
  }
  return NULL;
}

// Every word of the list is a kernel. Errors: status 2.
static void check_list(const char* list) {
  for (const char* word = list; word != NULL; word = strchr(word, ',')) {
    if (*word == ',') ++word;
    const size_t length = strcspn(word, ",");
    if (kernel_of(word, length) == NULL)
      refuse("there is no kernel '%.*s'; tasks --list shows what there is", (int)length, word);
  }
}

static long given(int option, long otherwise) {
  return options[option].value < 0 ? otherwise : (long)options[option].value;
}

static void set_work(const Kernel* kernel) {
  const double grain_ns = options[kGrain].value < 0 ? kernel->grain_ns : options[kGrain].value;
  work = (Work){.tasks = given(kTasksOption, kernel->tasks),
                .width = given(kWidth, kernel->width != 0 ? kernel->width : 1),
                .size = given(kSize, kernel->size),
                .grainsize = given(kGrainsize, 1),
                .gap = iterations_of(options[kGap].value),
                .grain = iterations_of(grain_ns),
                .seed = (uint32_t)given(kSeed, 1),
                .graph = given(kGraph, 0)};
}

static bool run_kernel(const Kernel* kernel) {
  static Result result;
  set_work(kernel);
  measure(kernel, (Budget){options[kSeconds].value, given(kRepetitions, 0)}, &result);
  for (int p = 0; p < result.point_count; ++p) {
    const Point* point = &result.points[p];
    printf("point=%d kernel=%s iterations=%ld task_ns=%.3f efficiency=%.5f\n", p, kernel->name,
           point->iterations, point->task_ns, point->efficiency);
  }
  printf(
      "kernel=%s threads=%d tasks=%ld unit=%s value=%.3f least=%.3f most=%.3f repetitions=%ld peak_mib=%.1f "
      "moves=%.2f verified=%s\n",
      kernel->name, work.threads, work.tasks, kernel->measure == kBytes ? "bytes" : "ns", result.value,
      result.least, result.most, result.repetitions, (double)peak_resident_bytes() / (1 << 20), result.moves,
      result.verified ? "yes" : "no");
  fflush(stdout);
  return result.verified;
}

int main(int argc, char** argv) {
  const char* list = NULL;
  for (int a = 1; a < argc; ++a) {
    if (strcmp(argv[a], "--list") == 0) return print_list(), 0;
    if (strcmp(argv[a], "--help") == 0) return print_help(), 0;
    if (strncmp(argv[a], "--", 2) == 0) {
      read_option(argv[a], argv[a + 1]);
      ++a;
    } else if (list == NULL) {
      list = argv[a];
    } else {
      refuse("'%s' is one word too many; separate kernels by commas", argv[a]);
    }
  }
  if (list == NULL) refuse("name a kernel; tasks --list shows what there is");
  const bool all = strcmp(list, "all") == 0;
  if (!all) check_list(list);
  bool verified = true;
  for (int f = 0; f < kFamilyCount; ++f) {
    for (const Kernel* k = kFamilies[f]; k->name != NULL; ++k) {
      if (all || is_named(list, k->name)) verified = run_kernel(k) && verified;
    }
  }
  return verified ? 0 : 1;
}
