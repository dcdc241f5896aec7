// Flags of Clang 20 and later, set by hand as its code sets them: what a transparent task's children name in
// their dependences is ordered with what its siblings name. Tasks that other threads might execute as well
// are executed by those of the team.
#include <omp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"

typedef int32_t (*routine)(int32_t, void*);
int32_t __kmpc_global_thread_num(void*);
void* __kmpc_omp_task_alloc(void*, int32_t, int32_t, size_t, size_t, routine);
int32_t __kmpc_omp_task(void*, int32_t, void*);
void __kmpc_omp_task_begin_if0(void*, int32_t, void*);
void __kmpc_omp_task_complete_if0(void*, int32_t, void*);
void __kmpc_taskloop(void*, int32_t, void*, int32_t, uint64_t*, uint64_t*, int64_t, int32_t, int32_t,
                     uint64_t, void*);

enum { kTied = 1, kFreeAgent = 0x80, kTransparent = 0x100, kRounds = 30, kChunks = 4 };

struct task {
  void* shareds;
  void* rest[4];
  uint64_t lower, upper;
};

static int cell, before, seen;
static atomic_int executed;

// Its child comes after the sibling that writes `before`, and before the sibling that reads `cell`.
static int32_t create(int32_t thread, void* task) {
  (void)thread, (void)task;
#pragma omp task depend(in : before) depend(inout : cell)
  {
    usleep(500);
    cell += before;
  }
  return 0;
}

static int32_t count(int32_t thread, void* task) {
  (void)thread, (void)task;
  atomic_fetch_add(&executed, 1);
  return 0;
}

static void start(int how) {
  const int32_t thread = __kmpc_global_thread_num(NULL);
  struct task* const task =
      __kmpc_omp_task_alloc(NULL, thread, kTied | kTransparent, sizeof(struct task), 0, create);
  if (how == 0) {
    __kmpc_omp_task(NULL, thread, task);
  } else if (how == 1) {
    __kmpc_omp_task_begin_if0(NULL, thread, task);
    create(thread, task);
    __kmpc_omp_task_complete_if0(NULL, thread, task);
  } else {
    task->lower = 0, task->upper = kChunks - 1;
    __kmpc_taskloop(NULL, thread, task, 1, &task->lower, &task->upper, 1, 1, 2, kChunks, NULL);
  }
}

static void children_are_ordered_with_siblings(int how) {
  cell = before = seen = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : before)
    {
      usleep(500);
      before = 7;
    }
    start(how);
#pragma omp task depend(in : cell)
    seen = cell;
  }
  CHECK(seen == (how == 2 ? kChunks : 1) * 7);
}

static void the_team_executes_what_anybody_might(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kRounds; i++) {
    const int32_t thread = __kmpc_global_thread_num(NULL);
    __kmpc_omp_task(NULL, thread,
                    __kmpc_omp_task_alloc(NULL, thread, kTied | kFreeAgent, sizeof(struct task), 0, count));
  }
  CHECK(executed == kRounds);
}

int main(void) {
  for (int round = 0; round < kRounds; round++)
    for (int how = 0; how < 3; how++) children_are_ordered_with_siblings(how);
  the_team_executes_what_anybody_might();
  return 0;
}
