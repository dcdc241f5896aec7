// The body of a task that has suspended itself runs again when it has returned: at once, after a time, when
// its events have come, or when it is unblocked; the task is done when a body returns that has not.
#include "support.h"

#include <omp.h>

typedef struct {
  task_slot task;
  atomic_int runs, done;
  int times;  // that it is to run
  int mode;
  uint64_t argument;
  uint64_t began;  // the last run
  int letter;
} Job;

static void is_done(void* argument) {
  Job* const job = argument;
  CHECK(job->runs == job->times);
  CHECK(atomic_fetch_add(&job->done, 1) == 0);
}

static void spawn(Job* job, alpi_function body) {
  CHECK_SUCCESS(alpi_task_spawn(body, job, is_done, job, "runs again", NULL));
}

static int is_the_last_run(Job* job) {
  struct alpi_task* const self = self_task();
  CHECK(job->task == NULL || job->task == self);  // the same task each time
  const int run = atomic_fetch_add(&job->runs, 1) + 1;
  CHECK(run <= job->times);
  return run == job->times;
}

static void suspend(Job* job) {
  struct alpi_task* const self = self_task();
  CHECK_SUCCESS(alpi_task_suspend_mode_set(self, job->mode, job->argument));
  CHECK_SUCCESS(alpi_task_suspend(self));
}

// -- at once, after a time

static void again(void* argument) {
  Job* const job = argument;
  const uint64_t now = now_ns();
  const int is_last = is_the_last_run(job);
  if (job->mode == ALPI_SUSPEND_MODE_TIMEOUT_SUBMIT && job->began != 0)
    CHECK(now - job->began >= job->argument);
  job->began = now;
  atomic_store(&job->task, self_task());
  if (!is_last) suspend(job);
}

static void at_once(uint64_t is_yield) {
  Job job = {.times = 100, .mode = ALPI_SUSPEND_MODE_SUBMIT, .argument = is_yield};
  spawn(&job, again);
  wait_for_number(&job.done, 1);
}

static void after_a_time(uint64_t ns) {
  Job job = {.times = 6, .mode = ALPI_SUSPEND_MODE_TIMEOUT_SUBMIT, .argument = ns};
  spawn(&job, again);
  wait_for_number(&job.done, 1);
}

// Two that run again at once do not starve each other, nor who waits.
static void several_at_once(void) {
  Job jobs[5];
  for (int i = 0; i < 5; ++i) {
    jobs[i] = (Job){.times = 200, .mode = ALPI_SUSPEND_MODE_SUBMIT, .argument = (uint64_t)(i & 1)};
    spawn(&jobs[i], again);
  }
  for (int i = 0; i < 5; ++i) wait_for_number(&jobs[i].done, 1);
}

// -- when events have come

static void when_events_came(void* argument) {
  Job* const job = argument;
  struct alpi_task* const self = self_task();
  if (job->runs > 0) CHECK(job->letter == job->runs);
  if (is_the_last_run(job)) return;
  CHECK_SUCCESS(alpi_task_events_increase(self, 2));
  suspend(job);
  atomic_store(&job->task, self);
}

static void* bring_events(void* argument) {
  Job* const job = argument;
  for (int i = 1; i < job->times; ++i) {
    struct alpi_task* task;
    while ((task = atomic_exchange(&job->task, NULL)) == NULL) pause_thread_us(20);
    CHECK_SUCCESS(alpi_task_events_decrease(task, 1));
    if (i % 3 == 0) pause_thread_us(300);
    CHECK(job->runs == i);
    job->letter = i;
    CHECK_SUCCESS(alpi_task_events_decrease(task, 1));
  }
  return NULL;
}

static void after_events(void) {
  Job job = {.times = 30, .mode = ALPI_SUSPEND_MODE_EVENT_SUBMIT};
  const pthread_t thread = start_foreign_thread(bring_events, &job);
  spawn(&job, when_events_came);
  wait_for_number(&job.done, 1);
  pthread_join(thread, NULL);
}

// -- when it is unblocked

static void when_unblocked(void* argument) {
  Job* const job = argument;
  if (job->runs > 0) CHECK(job->letter == job->runs);
  if (is_the_last_run(job)) return;
  suspend(job);
  atomic_store(&job->task, self_task());
}

static void* unblock_each_run(void* argument) {
  Job* const job = argument;
  for (int i = 1; i < job->times; ++i) {
    struct alpi_task* task;
    while ((task = atomic_exchange(&job->task, NULL)) == NULL) pause_thread_us(20);
    if (i % 3 == 0) pause_thread_us(300);
    CHECK(job->runs == i);
    job->letter = i;
    CHECK_SUCCESS(alpi_task_unblock(task));
  }
  return NULL;
}

static void on_unblock(void) {
  Job job = {.times = 30, .mode = ALPI_SUSPEND_MODE_NONE};
  const pthread_t thread = start_foreign_thread(unblock_each_run, &job);
  spawn(&job, when_unblocked);
  wait_for_number(&job.done, 1);
  pthread_join(thread, NULL);
}

// -- The mode is for the body's return: a block within the body waits for its unblock, whatever the mode.

static void blocks_with_a_mode(void* argument) {
  Job* const job = argument;
  struct alpi_task* const self = self_task();
  if (is_the_last_run(job)) return;
  CHECK_SUCCESS(alpi_task_events_increase(self, 1));
  suspend(job);
  atomic_store(&job->task, self);
  CHECK_SUCCESS(alpi_task_block(self));
  CHECK(job->letter == 2);
}

static void blocks_are_not_ended_by_events(void) {
  for (int i = 0; i < 20; ++i) {
    Job job = {.times = 2, .mode = ALPI_SUSPEND_MODE_EVENT_SUBMIT};
    spawn(&job, blocks_with_a_mode);
    struct alpi_task* const task = wait_for_task(&job.task);
    for (int j = 0; j < 3; ++j) CHECK_SUCCESS(alpi_task_waitfor_ns(20000, NULL));
    CHECK_SUCCESS(alpi_task_events_decrease(task, 1));
    for (int j = 0; j < 3; ++j) CHECK_SUCCESS(alpi_task_waitfor_ns(20000, NULL));
    CHECK(job.runs == 1);
    job.letter = 2;
    CHECK_SUCCESS(alpi_task_unblock(task));
    wait_for_number(&job.done, 1);
  }
}

static void in_every_mode(void) {
  at_once(0);
  at_once(1);
  after_a_time(0);
  after_a_time(1000);
  after_a_time(1000000);
  several_at_once();
  after_events();
  on_unblock();
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  CHECK_SUCCESS(alpi_feature_check(ALPI_FEATURE_SUSPEND));
  in_every_mode();
#pragma omp parallel
#pragma omp single
  {
    in_every_mode();
#pragma omp task
    in_every_mode();
  }
  blocks_are_not_ended_by_events();
  CHECK(omp_in_parallel() == 0);
}
