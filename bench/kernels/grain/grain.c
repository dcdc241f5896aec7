// Efficiency over the length of tasks: how short a task may be before the runtime costs more than the work.
//
//   grain PATTERN [options]     prints a line for each length, then one for the pattern
//   grain --list                says which patterns there are
//
// Exit status 1: a result is wrong, or a thread executes less than it has to. 2: the command line is.
#include <omp.h>

#include "heddle.h"
#include "patterns.h"

const char program_name[] = "grain";

static void create_independent(void) {
  for (long i = 0; i < work.tasks; ++i) {
#pragma omp task firstprivate(i)
    independent_body(i);
  }
}

// As a program that has a few things to do at a time, and needs them all before it goes on.
static void create_bursts(void) {
  for (long first = 0; first < work.tasks; first += kBurst) {
    for (long i = first; i < first + kBurst && i < work.tasks; ++i) {
#pragma omp task firstprivate(i)
      independent_body(i);
    }
#pragma omp taskwait
  }
}

static void create_chains(void) {
  for (long i = 0; i < work.tasks; ++i) {
    char* const place = chain_place(i);
    (void)place;
#pragma omp task firstprivate(i) depend(inout : *place)
    chain_body(i);
  }
}

static void create_stencil(void) {
  for (long i = 0; i < work.tasks; ++i) {
    const long step = i / work.columns, j = i % work.columns;
    char *const left = column_place(step, j - 1), *const middle = column_place(step, j),
                *const right = column_place(step, j + 1), *const to = column_place(step + 1, j);
    (void)left, (void)middle, (void)right, (void)to;
#pragma omp task firstprivate(i) depend(in : *left, *middle, *right) depend(out : *to)
    stencil_body(i);
  }
}

static void create(Pattern pattern) {
  static void (*const creators[kPatterns])(void) = {[kIndependent] = create_independent,
                                                    [kChains] = create_chains,
                                                    [kStencil] = create_stencil,
                                                    [kBursts] = create_bursts};
  creators[pattern]();
}

static void execute_tasks(Pattern pattern, int point) {
  (void)point;
  create(pattern);
#pragma omp taskwait
}

static void execute_taskgraph(Pattern pattern, int point) {
  HEDDLE_TASKGRAPH(.graph_id = (unsigned long)point) create(pattern);
}

// Bursts wait between their tasks: no taskgraph.
static const Form kForms[] = {
    {"tasks", {true, true, true, true}, execute_tasks},
    {"graph", {true, true, true, false}, execute_taskgraph},
};

int main(int argc, char** argv) {
  const Request request = requested(argc, argv, kForms, sizeof kForms / sizeof *kForms);
  bool is_right = false;
#pragma omp parallel
#pragma omp single
  is_right = measure(request, omp_get_num_threads(), omp_get_num_procs());
  return is_right ? 0 : 1;
}
