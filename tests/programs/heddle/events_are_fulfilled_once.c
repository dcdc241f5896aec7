// An event is fulfilled once and waited for once. Whoever does either again, or comes with a handle of
// something else, ends the program with one line that says what is wrong, also after the memory of the event
// has served others.
#include <omp.h>

#include "heddle.h"
#include "rerun.h"

static void fulfill_twice(void) {
  const omp_event_handle_t event = omp_task_continuation_event();
  omp_fulfill_event(event);
  omp_fulfill_event(event);
}

static void fulfill_after_the_wait(void) {
  const omp_event_handle_t event = omp_task_continuation_event();
  omp_fulfill_event(event);
  omp_taskwait_detach(event);
  omp_fulfill_event(event);
}

// The same memory has had many lives since, and has one now.
static void fulfill_an_old_one(void) {
  const omp_event_handle_t old = omp_task_continuation_event();
  omp_fulfill_event(old);
  omp_taskwait_detach(old);
  for (int i = 0; i < 1000; i++) {
    const omp_event_handle_t event = omp_task_continuation_event();
    CHECK(event != old);
    omp_fulfill_event(event);
    omp_taskwait_detach(event);
  }
  omp_task_continuation_event();
  omp_fulfill_event(old);
}

static void wait_twice(void) {
  const omp_event_handle_t event = omp_task_continuation_event();
  omp_fulfill_event(event);
  omp_taskwait_detach(event);
  omp_taskwait_detach(event);
}

// With one thread the first is suspended when the other goes on.
static void two_tasks_wait(void) {
#pragma omp parallel num_threads(1)
  {
    const omp_event_handle_t is_there = omp_task_continuation_event(), event = omp_task_continuation_event();
#pragma omp task firstprivate(is_there, event)
    {
      omp_fulfill_event(is_there);
      omp_taskwait_detach(event);
    }
    omp_taskwait_detach(is_there);
    omp_taskwait_detach(event);
  }
}

static void wait_for_an_event_of_a_detach_clause(void) {
#pragma omp parallel num_threads(1)
  {
    omp_event_handle_t event = (omp_event_handle_t)no_event();
#pragma omp task detach(event)
    {
    }
    omp_taskwait_detach(event);
  }
}

// One that a replay has fulfilled; its task is gone.
static void fulfill_a_recorded_one_again(void) {
  static omp_event_handle_t handle;
  static int value;
  int times_created = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int round = 0; round < 3; round++) {
    HEDDLE_TASKGRAPH() {
      times_created++;
      omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : value)
      {
        value++;
        omp_fulfill_event(event);
      }
      handle = event;
    }
  }
  CHECK(times_created == 1);
  omp_fulfill_event(handle);
}

typedef struct {
  const char* name;
  void (*mistake)(void);
  const char* line;  // a part of it
} Mistake;

static const Mistake kMistakes[] = {
    {"fulfill_twice", fulfill_twice, "fulfilled already"},
    {"fulfill_after_the_wait", fulfill_after_the_wait, "fulfilled already"},
    {"fulfill_an_old_one", fulfill_an_old_one, "fulfilled already"},
    {"fulfill_a_recorded_one_again", fulfill_a_recorded_one_again, "fulfilled already"},
    {"wait_twice", wait_twice, "waited for already"},
    {"two_tasks_wait", two_tasks_wait, "another task waits"},
    {"wait_for_an_event_of_a_detach_clause", wait_for_an_event_of_a_detach_clause, "detach"},
};
enum { kMistakeCount = sizeof kMistakes / sizeof *kMistakes };

static void ends_with_one_line(const Mistake* mistake) {
  const rerun_result* const result = rerun("", mistake->name);
  const char* const end = strchr(result->output, '\n');
  const int is_one_line = end != NULL && end[1] == 0;
  if (result->status != 2 || !is_one_line || strstr(result->output, mistake->line) == NULL)
    printf("%s ended with %d: %s\n", mistake->name, result->status, result->output);
  CHECK(result->status == 2);
  CHECK(is_one_line && strncmp(result->output, "heddle: ", 8) == 0);
  CHECK(strstr(result->output, mistake->line) != NULL);
}

int main(int count, char** arguments) {
  for (int i = 0; i < kMistakeCount; i++) {
    if (count == 1) {
      ends_with_one_line(&kMistakes[i]);
    } else if (strcmp(arguments[1], kMistakes[i].name) == 0) {
      kMistakes[i].mistake();
      puts("went on");
      return 0;
    }
  }
  return count == 1 ? 0 : 1;
}
