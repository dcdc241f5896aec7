// The driver of a benchmark: one program, a kernel a kind of work, each in three forms.
//
//   PROGRAM KERNEL[,KERNEL…]|all [options]    runs the kernels and prints a line for each form
//   PROGRAM --list                            says which there are
//
// A line has words NAME=VALUE: value is the time of an iteration after the first, the median over the
// repetitions, least and most their range; first and cold are what a repetition takes beyond that, and the
// process's first one. Exit status 1: a result is wrong. 2: the command line is.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

Work work;

static const char* const kForms[kFormCount] = {[kTasks] = "tasks", [kGraph] = "graph", [kLoops] = "loops"};

enum { kForm, kSize, kGrain, kIterations, kSeconds, kRepetitions, kSpoil, kList, kHelp, kOptionCount };

static const struct option kOptions[kOptionCount + 1] = {
    [kForm] = {"form", required_argument, NULL, kForm},
    [kSize] = {"size", required_argument, NULL, kSize},
    [kGrain] = {"grain", required_argument, NULL, kGrain},
    [kIterations] = {"iterations", required_argument, NULL, kIterations},
    [kSeconds] = {"seconds", required_argument, NULL, kSeconds},
    [kRepetitions] = {"repetitions", required_argument, NULL, kRepetitions},
    [kSpoil] = {"spoil", no_argument, NULL, kSpoil},
    [kList] = {"list", no_argument, NULL, kList},
    [kHelp] = {"help", no_argument, NULL, kHelp},
};

// The options with a number. Negative: not given.
static struct {
  const char* meaning;
  double value, least, most;
} numbers[kOptionCount] = {
    [kSize] = {"of the problem, as --list says", -1, 1, 1 << 28},
    [kGrain] = {"blocks, chunks or tiles, as --list says", -1, 1, 1e7},
    [kIterations] = {"of a repetition; the first, which may record, counts by itself", -1, 1, 1e6},
    [kSeconds] = {"how long a kernel repeats", 0.3, 0, 1e6},
    [kRepetitions] = {"how often, in place of --seconds", -1, 1, kMostRepetitions},
};

static void print_list(void) {
  for (int k = 0; k < kernel_count; ++k) {
    const Kernel* kernel = kernels[k];
    printf("%-14s %s (%ld, %ld)\n", kernel->name, kernel->meaning, kernel->size, kernel->grain);
  }
}

static void print_help(void) {
  printf("%s KERNEL[,KERNEL...]|all [options]\n%s --list\n\n", program_name, program_name);
  puts("--form         tasks, graph, loops or all: tasks created each time, a taskgraph, worksharing loops");
  for (int o = kSize; o <= kRepetitions; ++o) printf("--%-12s %s\n", kOptions[o].name, numbers[o].meaning);
}

static void read_number(int option, const char* text) {
  const double least = numbers[option].least, most = numbers[option].most;
  char* end;
  errno = 0;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || errno != 0 || !(value >= least && value <= most)) {
    refuse("--%s %s: give a number from %.10g to %.10g", kOptions[option].name, text, least, most);
  }
  numbers[option].value = value;
}

// Which forms to run, a bit each.
static unsigned forms_of(const char* text) {
  if (strcmp(text, "all") == 0) return (1u << kFormCount) - 1;
  for (int f = 0; f < kFormCount; ++f) {
    if (strcmp(text, kForms[f]) == 0) return 1u << f;
  }
  refuse("--form %s: give tasks, graph, loops or all", text);
}

static bool is_named(const char* list, const char* name) {
  const size_t length = strlen(name);
  for (const char* word = list; word != NULL; word = strchr(word, ',')) {
    if (*word == ',') ++word;
    if (strcspn(word, ",") == length && strncmp(word, name, length) == 0) return true;
  }
  return false;
}

// Every word of the list is a kernel. Errors: status 2.
static void check_list(const char* list) {
  for (const char* word = list; word != NULL; word = strchr(word, ',')) {
    if (*word == ',') ++word;
    const int length = (int)strcspn(word, ",");
    bool is_there = false;
    for (int k = 0; k < kernel_count; ++k) {
      is_there = is_there ||
                 ((int)strlen(kernels[k]->name) == length && strncmp(kernels[k]->name, word, length) == 0);
    }
    if (!is_there)
      refuse("there is no kernel '%.*s'; %s --list shows what there is", length, word, program_name);
  }
}

static long given(int option, long otherwise) {
  return numbers[option].value < 0 ? otherwise : (long)numbers[option].value;
}

static bool run_kernel(const Kernel* kernel, Form form, bool spoils) {
  if (kernel->has_fixed_size && numbers[kSize].value >= 0)
    refuse("%s has a size of its own; leave --size out", kernel->name);
  work = (Work){.form = form,
                .size = given(kSize, kernel->size),
                .grain = given(kGrain, kernel->grain),
                .iterations = given(kIterations, kernel->iterations)};
  const Result result = measure(kernel, (Budget){numbers[kSeconds].value, given(kRepetitions, 0), spoils});
  printf(
      "kernel=%s form=%s threads=%d size=%ld grain=%ld tasks=%ld iterations=%ld unit=ns value=%.1f "
      "least=%.1f "
      "most=%.1f first=%.1f cold=%.1f repetitions=%ld verified=%s\n",
      kernel->name, kForms[form], work.threads, work.size, work.grain, work.tasks, work.iterations,
      result.value, result.least, result.most, result.first, result.cold, result.repetitions,
      result.verified ? "yes" : "no");
  fflush(stdout);
  return result.verified;
}

int main(int argc, char** argv) {
  unsigned forms = forms_of("all");
  bool spoils = false;
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, "", kOptions, NULL)) != -1;) {
    if (option == '?')
      refuse("'%s' is no option, or lacks its value; %s --help shows what there is", argv[optind - 1],
             program_name);
    if (option == kList) return print_list(), 0;
    if (option == kHelp) return print_help(), 0;
    if (option == kForm) {
      forms = forms_of(optarg);
    } else if (option == kSpoil) {
      spoils = true;
    } else {
      read_number(option, optarg);
    }
  }
  if (optind == argc) refuse("name a kernel; %s --list shows what there is", program_name);
  if (optind + 1 < argc) refuse("'%s' is one word too many; separate kernels by commas", argv[optind + 1]);
  const char* list = argv[optind];
  const bool all = strcmp(list, "all") == 0;
  if (!all) check_list(list);
  bool verified = true;
  for (int k = 0; k < kernel_count; ++k) {
    if (!all && !is_named(list, kernels[k]->name)) continue;
    for (int form = 0; form < kFormCount; ++form) {
      if (forms & 1u << form) verified = run_kernel(kernels[k], (Form)form, spoils) && verified;
    }
  }
  return verified ? 0 : 1;
}
