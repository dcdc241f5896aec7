// What flang's code does and Clang's does not, by hand: from version 22 on the bounds of a taskloop lie among
// the addresses of its shared variables; from 19 on the initial thread asks for its threadprivate variables
// as well, and changes them before others have asked.
#include <omp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"

typedef int32_t (*routine)(int32_t, void*);
int32_t __kmpc_global_thread_num(void*);
void* __kmpc_omp_task_alloc(void*, int32_t, int32_t, size_t, size_t, routine);
void __kmpc_taskloop(void*, int32_t, void*, int32_t, uint64_t*, uint64_t*, int64_t, int32_t, int32_t,
                     uint64_t, void*);
void* __kmpc_threadprivate_cached(void*, int32_t, void*, size_t, void***);

enum { kIterations = 1000 };

struct shareds {
  uint64_t lower, upper, step;
  atomic_int* counts;
};
struct task {
  struct shareds* shareds;
  void* rest[4];
};

static int32_t count(int32_t thread, void* argument) {
  const struct shareds* const mine = ((struct task*)argument)->shareds;
  (void)thread;
  for (uint64_t i = mine->lower; i <= mine->upper; i += mine->step) atomic_fetch_add(&mine->counts[i], 1);
  return 0;
}

static void taskloops_with_their_bounds_among_shareds(int schedule, uint64_t amount, int if_clause) {
  static atomic_int counts[kIterations + 1];
  for (int i = 0; i <= kIterations; ++i) atomic_store(&counts[i], 0);
#pragma omp parallel
#pragma omp single
  {
    const int32_t thread = __kmpc_global_thread_num(NULL);
    struct task* const task =
        __kmpc_omp_task_alloc(NULL, thread, 1, sizeof(struct task), sizeof(struct shareds), count);
    *task->shareds = (struct shareds){1, kIterations, 1, counts};
    __kmpc_taskloop(NULL, thread, task, if_clause, &task->shareds->lower, &task->shareds->upper, 1, 0,
                    schedule, amount, NULL);
  }
  CHECK(atomic_load(&counts[0]) == 0);
  for (int i = 1; i <= kIterations; ++i) CHECK(atomic_load(&counts[i]) == 1);
}

static int variable = 5;
static void** cache;

static int* mine(void) {
  return __kmpc_threadprivate_cached(NULL, __kmpc_global_thread_num(NULL), &variable, sizeof variable,
                                     &cache);
}

static void threadprivate_variables_begin_as_they_were_declared(void) {
  *mine() = 77;
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel num_threads(7)
    {
      const int expected = omp_get_thread_num() == 0 ? 77 : 5 + round;
      CHECK(*mine() == expected);
      if (omp_get_thread_num() != 0) ++*mine();
    }
  }
  CHECK(mine() == &variable && variable == 77);
}

int main(void) {
  taskloops_with_their_bounds_among_shareds(0, 0, 1);
  taskloops_with_their_bounds_among_shareds(1, 10, 1);
  taskloops_with_their_bounds_among_shareds(1, 1, 1);
  taskloops_with_their_bounds_among_shareds(2, 7, 1);
  taskloops_with_their_bounds_among_shareds(1, 10, 0);
  threadprivate_variables_begin_as_they_were_declared();
  return 0;
}
