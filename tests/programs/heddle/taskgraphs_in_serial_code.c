// Outside parallel regions nobody but the encountering thread executes tasks: a region with nogroup has ended
// there when it is left, so that nothing is lost where the program, a thread or a child process goes on
// without a wait.
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "heddle.h"

enum { kRounds = 5, kTasks = 10 };

static int executed, times_created;

static void create_chain(void) {
  times_created++;
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : executed)
    executed++;
  }
}

static void* run_regions(void* unused) {
  executed = times_created = 0;
  for (int round = 0; round < kRounds; round++) HEDDLE_TASKGRAPH(.nogroup = 1) create_chain();
  CHECK(executed == kRounds * kTasks);
  CHECK(times_created <= 1);  // 0 where another thread has recorded in the same frame
  return unused;
}

// Each gets the stack, and so the record, of the one before.
static void threads_come_and_go(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, run_regions, NULL) == 0);
    pthread_join(thread, NULL);
  }
}

static void children_go_on(void) {
  executed = 0;
  HEDDLE_TASKGRAPH(.nogroup = 1, .graph_id = 1) create_chain();
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
#pragma omp taskwait
    _exit(executed == kTasks ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

// There a region is executed plainly.
static void tasks_are_final_where_the_region_is(void) {
  static int are_final;
  are_final = 0;
  for (int round = 0; round < 4; round++) {
#pragma omp task final(round % 2 == 1) shared(are_final)
    {
#pragma omp parallel num_threads(1) shared(are_final)
      HEDDLE_TASKGRAPH() {
        for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : are_final) shared(are_final)
          are_final += omp_in_final();
        }
      }
    }
#pragma omp taskwait
    CHECK(are_final == (round + 1) / 2 * kTasks);
  }
}

int main(void) {
  run_regions(NULL);
  CHECK(times_created == 1);
  threads_come_and_go();
  children_go_on();
  tasks_are_final_where_the_region_is();
  return 0;
}
