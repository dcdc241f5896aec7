// The implicit region around the program ends with a barrier: tasks created outside all parallel regions are
// complete before the functions registered with atexit() are called, also where main() does not wait for
// them. The same holds for a thread of the program's own, and its end.
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

#include "rerun.h"

enum { kTasks = 50 };

static int executed, last;

static void create_tasks(void) {
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i) depend(inout : last)
    {
      CHECK(last == i);
      last = i + 1;
#pragma omp task
      {
#pragma omp atomic
        ++executed;
      }
    }
  }
}

static void check_the_end(void) {
  if (executed != kTasks) {
    printf("%d of %d tasks were executed\n", executed, kTasks);
    fflush(stdout);
    _Exit(1);
  }
}

static void* create_and_return(void* unused) {
  create_tasks();
  return unused;
}

static void check_in(const char* variables, const char* mode) {
  const rerun_result* const result = rerun(variables, mode);
  if (result->status != 0) printf("%s %s: %s", variables, mode, result->output);
  CHECK(result->status == 0);
}

int main(int argc, char** argv) {
  if (argc == 1) {
    static const char* const settings[] = {"HEDDLE_ORDER=",        "HEDDLE_ORDER=fuzz:1",
                                           "HEDDLE_ORDER=fuzz:2",  "HEDDLE_ORDER=fuzz:7",
                                           "HEDDLE_THROTTLE=hold", "HEDDLE_READY=oldest"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; ++i) {
      check_in(settings[i], "return");
      check_in(settings[i], "exit");
      check_in(settings[i], "region");
      check_in(settings[i], "thread");
    }
    return 0;
  }
  if (strcmp(argv[1], "thread") == 0) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, create_and_return, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    check_the_end();
    return 0;
  }
  atexit(check_the_end);
  create_tasks();
  if (strcmp(argv[1], "exit") == 0) exit(0);
  if (strcmp(argv[1], "region") == 0) {
#pragma omp parallel
    {
    }
  }
  return 0;
}
