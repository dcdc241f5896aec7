// An end without a beginning, and one behind a region that was replayed, end the program with a line and
// status 2.
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "heddle.h"

static void end_without_beginning(void) {
  heddle_taskgraph_end();
}

static void end_behind_a_replay(void) {
  static heddle_taskgraph_t graph;
  const heddle_taskgraph_clauses_t clauses = {.graph_id = 1};
  for (int round = 0; round < 2; round++) {
    heddle_taskgraph_begin(&graph, &clauses, &graph);  // 1, then 0
    heddle_taskgraph_end();
  }
}

static int status_of(void (*misuse)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    misuse();
    _exit(0);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
  CHECK(omp_get_max_threads() >= 1 && heddle_is_here());  // or the linker leaves the library out
  CHECK(status_of(end_without_beginning) == 2);
  CHECK(status_of(end_behind_a_replay) == 2);
  return 0;
}
