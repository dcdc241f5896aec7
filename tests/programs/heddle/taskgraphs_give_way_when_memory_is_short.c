// A construct may have any number of records, and finds them at once. Where all of them take more memory than
// HEDDLE_GRAPH_MEMORY says those that were met longest ago are dropped, and made anew when they are met
// again; other threads may be at work meanwhile. Each execution does what it should in any case.
#include <omp.h>
#include <stdlib.h>

#include "check.h"
#include "heddle.h"
#include "rerun.h"

enum { kTasks = 20 };

static void execute(unsigned long id, int* sum) {
  HEDDLE_TASKGRAPH(.graph_id = id) {
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task depend(inout : *sum) firstprivate(i) shared(sum)
      *sum += i;
    }
  }
}

// Each thread has a frame of its own, and so records.
static void execute_all(int ids, int rounds) {
#pragma omp parallel
  {
    int sum = 0, expected = 0;
    for (int round = 0; round < rounds; ++round)
      for (int id = 0; id < ids; ++id) {
        execute((unsigned long)id, &sum);
        expected += kTasks * (kTasks - 1) / 2;
        CHECK(sum == expected);
      }
  }
}

static int count(const char* text, const char* word) {
  int found = 0;
  for (const char* at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) ++found;
  return found;
}

int main(int argc, char** argv) {
  if (argc == 1) {
    // 1,100 records, more than there could once be, each replayed twice.
    const rerun_result* many = rerun("OMP_NUM_THREADS=1 HEDDLE_LOG=graph", "1100 3 2>&1 | grep -c replayed");
    CHECK(many->status == 0 && atoi(many->output) == 2 * 1100);
    const rerun_result* few = rerun("OMP_NUM_THREADS=1 HEDDLE_LOG=graph HEDDLE_GRAPH_MEMORY=256K", "10 20");
    CHECK(few->status == 0);
    CHECK(count(few->output, "dropped") == 0 && count(few->output, "replayed") == 190);
    const rerun_result* evicted =
        rerun("OMP_NUM_THREADS=1 HEDDLE_LOG=graph HEDDLE_GRAPH_MEMORY=256K", "200 1");
    CHECK(evicted->status == 0);
    CHECK(count(evicted->output, "dropped: the records take more than") > 50);
    for (int i = 0; i < 3; ++i) {
      const rerun_result* crowded = rerun("HEDDLE_GRAPH_MEMORY=128K", "60 10");
      CHECK(crowded->status == 0);
    }
    return 0;
  }
  CHECK(argc == 3);
  execute_all(atoi(argv[1]), atoi(argv[2]));
  return 0;
}
