// A task of a record yields until a later one of the same record has run, in the last execution alone; by any
// number of threads. Linked at a fixed address this program exports nothing and takes no data of the C
// library: its hash table of symbols is empty. With LOADS the region is that of a library, made of this file
// as well, which is loaded when the runtime is at work already.
#include <dlfcn.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "heddle.h"
#include "right.h"

#ifdef LOADS

typedef int Yields(int threads);

static Yields* find_region(const char* path) {
#  pragma omp parallel num_threads(2)
  atomic_thread_fence(memory_order_seq_cst);
  void* const library = dlopen(path, RTLD_NOW);
  return library == NULL ? NULL : (Yields*)dlsym(library, "yields");
}

#else

enum { kRounds = 200 };

int yields(int threads);

int yields(int threads) {
  static atomic_int waits, has_come;
  atomic_store(&waits, 0);
  atomic_store(&has_come, 0);
#  pragma omp parallel num_threads(threads)
#  pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    atomic_store(&waits, round == kRounds);
    HEDDLE_TASKGRAPH() {
      for (int i = 0; i < 8; i++) {
#  pragma omp task firstprivate(i)
        {
          if (i == 0)
            while (atomic_load(&waits) && !atomic_load(&has_come)) {
#  pragma omp taskyield
            }
          if (i == 7 && atomic_load(&waits)) atomic_store(&has_come, 1);
        }
      }
    }
  }
  return atomic_load(&has_come);
}

#endif

int main(int argc, char** argv) {
#ifdef LOADS
  Yields* const yields = argc > 1 ? find_region(argv[1]) : NULL;
  RIGHT(yields != NULL, "no library");
  if (yields == NULL) return end();
#else
  (void)argc, (void)argv;
#endif
  alarm(20);
  for (int threads = 1; threads <= 2; ++threads)
    RIGHT(yields(threads) == 1, "nobody came, %d threads", threads);
  return end();
}
