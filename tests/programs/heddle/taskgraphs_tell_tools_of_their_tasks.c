// While a tool is active taskgraph regions are recorded and replayed, and the tool is told of each replayed
// task: that it is created, what it depends on, when it begins and ends. Edges are told as dependences on
// addresses that only their two tasks have in common; a taskwait of the region is told as one with
// dependences.
#include <omp-tools.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"
#include "heddle.h"

enum { kMost = 256, kMostDependences = 16, kRounds = 4 };

static struct {
  int flags;
  int stage;  // 1: created, 2: begun, 3: complete
  int dependences;
  ompt_dependence_t on[kMostDependences];
} tasks[kMost];
static atomic_int created, edges, groups;
static int is_initialized;

static long number_of(const ompt_data_t* task) {
  return (long)task->value - 1;
}

static void on_create(ompt_data_t* creator, const ompt_frame_t* frame, ompt_data_t* task, int flags,
                      int has_dependences, const void* where) {
  (void)creator, (void)frame, (void)has_dependences, (void)where;
  const int number = atomic_fetch_add(&created, 1);
  CHECK(number < kMost);
  task->value = (uint64_t)number + 1;
  tasks[number].flags = flags;
  tasks[number].stage = 1;
}

static void on_dependences(ompt_data_t* task, const ompt_dependence_t* on, int count) {
  CHECK(count <= kMostDependences);
  tasks[number_of(task)].dependences = count;
  memcpy(tasks[number_of(task)].on, on, (size_t)count * sizeof *on);
}

// Which of a task's dependences are on an address, as a bit each: 1 in, 2 out.
static int accesses(long task, const void* address) {
  int found = 0;
  for (int d = 0; d < tasks[task].dependences; d++)
    if (tasks[task].on[d].variable.ptr == address)
      found |= tasks[task].on[d].dependence_type == ompt_dependence_type_in ? 1 : 2;
  return found;
}

static void on_edge(ompt_data_t* from, ompt_data_t* to) {
  atomic_fetch_add(&edges, 1);
  int common = 0;
  for (int d = 0; d < tasks[number_of(from)].dependences; d++) {
    const void* const address = tasks[number_of(from)].on[d].variable.ptr;
    common += (accesses(number_of(from), address) | accesses(number_of(to), address)) > 1 &&
              accesses(number_of(to), address) != 0;
  }
  CHECK(common != 0);  // an address that one of the two writes
}

static void on_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  if (status == ompt_taskwait_complete || status == ompt_task_complete) {
    CHECK(tasks[number_of(prior)].stage == (status == ompt_task_complete ? 2 : 1));
    tasks[number_of(prior)].stage = 3;
  }
  if (next == NULL || next->value == 0) return;
  if (tasks[number_of(next)].stage == 1) tasks[number_of(next)].stage = 2;
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* region,
                    ompt_data_t* task, const void* where) {
  (void)region, (void)task, (void)where;
  if (kind == ompt_sync_region_taskgroup) atomic_fetch_add(&groups, endpoint == ompt_scope_begin ? 1 : -1);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  (void)device, (void)data;
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_task_create, (ompt_callback_t)on_create);
  set(ompt_callback_dependences, (ompt_callback_t)on_dependences);
  set(ompt_callback_task_dependence, (ompt_callback_t)on_edge);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_schedule);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
  is_initialized = 1;
  return 1;
}
static void finalize(ompt_data_t* data) {
  (void)data;
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  (void)version, (void)runtime;
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}

// What was told of the tasks behind `first`, when they are complete.
typedef struct Told {
  int created, explicit_tasks, waits, edges;
} Told;

static Told told_since(int first, int edges_before) {
  Told told = {atomic_load(&created) - first, 0, 0, atomic_load(&edges) - edges_before};
  for (int task = first; task < atomic_load(&created); task++) {
    CHECK(tasks[task].stage == 3);
    told.explicit_tasks += (tasks[task].flags & ompt_task_explicit) != 0;
    told.waits += (tasks[task].flags & ompt_task_taskwait) != 0;
  }
  return told;
}

// One writes, three read, one writes again: six edges.
static int value, seen[3];

static void create_a_diamond(void) {
#pragma omp task depend(out : value)
  value++;
  for (int i = 0; i < 3; i++)
#pragma omp task depend(in : value)
    seen[i] = value;
#pragma omp task depend(inout : value)
  value++;
}

static void dependences_are_told(void) {
  int bodies = 0;
  value = 0;
  for (int round = 0; round < kRounds; round++) {
#pragma omp taskwait  // else the region may wait for those before, by a taskwait with dependences
    const int first = atomic_load(&created), edges_before = atomic_load(&edges);
    HEDDLE_TASKGRAPH() {
      bodies++;
      create_a_diamond();
    }
    CHECK(value == 2 * (round + 1) && seen[0] == 2 * round + 1 && seen[2] == 2 * round + 1);
    const Told told = told_since(first, edges_before);
    CHECK(told.explicit_tasks == 5 && told.waits == 0);
    // The last writer may or may not wait for the first, too.
    CHECK(round == 0 || (told.edges >= 6 && told.edges <= 7));
    CHECK(atomic_load(&groups) == 0);
  }
  CHECK(bodies == 1);
}

static void waits_are_told(void) {
  int bodies = 0, sum = 0;
  int* const total = &sum;
  for (int round = 0; round < kRounds; round++) {
#pragma omp taskwait  // else the region may wait for those before, by a taskwait with dependences
    const int first = atomic_load(&created), edges_before = atomic_load(&edges);
    HEDDLE_TASKGRAPH() {
      bodies++;
      for (int i = 0; i < 2; i++)
#pragma omp task
        __atomic_fetch_add(total, 1, __ATOMIC_RELAXED);
#pragma omp taskwait
      for (int i = 0; i < 2; i++)
#pragma omp task
        __atomic_fetch_add(total, 10 * (__atomic_load_n(total, __ATOMIC_RELAXED) > 0), __ATOMIC_RELAXED);
    }
    CHECK(sum == 22 * (round + 1));
    const Told told = told_since(first, edges_before);
    // Each after the wait comes after each before it: in a replay by way of an empty task, or for itself.
    CHECK(round == 0 ? told.explicit_tasks == 4 : told.edges == 4);
    CHECK(told.explicit_tasks == 4 || told.explicit_tasks == 5);
  }
  CHECK(bodies == 1);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    dependences_are_told();
    waits_are_told();
  }
  CHECK(is_initialized);
  return 0;
}
