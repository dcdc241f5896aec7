// What a spawned task is to call when it is done is called once, when the body has returned for the last time
// and the last event has come; not before, whoever brings that event.
#include "support.h"

#include <omp.h>

typedef struct {
  task_slot task;
  atomic_int begun, body_has_ended, last_event_comes, done;
  int letter;
} Job;

static void has_no_events(void* argument) {
  Job* const job = argument;
  atomic_fetch_add(&job->begun, 1);
  CHECK_SUCCESS(alpi_task_waitfor_ns(10000, NULL));
  job->letter = 1;
  atomic_store(&job->last_event_comes, 1);
  atomic_store(&job->body_has_ended, 1);
}

static void has_events(void* argument) {
  Job* const job = argument;
  struct alpi_task* const self = self_task();
  atomic_fetch_add(&job->begun, 1);
  CHECK_SUCCESS(alpi_task_events_increase(self, 3));
  atomic_store(&job->body_has_ended, 1);
  atomic_store(&job->task, self);
}

static void is_done(void* argument) {
  Job* const job = argument;
  CHECK(job->begun == 1 && job->body_has_ended == 1 && job->last_event_comes == 1);
  CHECK(job->letter == 1);
  CHECK(atomic_fetch_add(&job->done, 1) == 0);
}

static void spawn(Job* job, alpi_function body) {
  CHECK_SUCCESS(alpi_task_spawn(body, job, is_done, job, "job", NULL));
}

static void bring_events(Job* job) {
  struct alpi_task* const task = atomic_load(&job->task);
  uint64_t has = 0;
  CHECK_SUCCESS(alpi_task_events_test(task, &has));
  CHECK(has != 0);
  CHECK_SUCCESS(alpi_task_events_decrease(task, 2));
  CHECK_SUCCESS(alpi_task_events_test(task, &has));
  CHECK(has != 0 && job->done == 0);
  job->letter = 1;
  atomic_store(&job->last_event_comes, 1);
  CHECK_SUCCESS(alpi_task_events_decrease(task, 1));
}

static void it_comes_after_the_body(void) {
  enum { kJobs = 200 };
  static Job jobs[kJobs];
  memset(jobs, 0, sizeof jobs);
  for (int i = 0; i < kJobs; ++i) spawn(&jobs[i], has_no_events);
  for (int i = 0; i < kJobs; ++i) wait_for_number(&jobs[i].done, 1);
}

static void it_comes_after_the_events(void) {
  Job job = {0};
  spawn(&job, has_events);
  wait_for_task(&job.task);
  for (int i = 0; i < 10; ++i) CHECK_SUCCESS(alpi_task_waitfor_ns(20000, NULL));
  bring_events(&job);
  wait_for_number(&job.done, 1);
}

static void* bring_from_outside(void* argument) {
  Job* const job = argument;
  wait_for_task_outside(&job->task);
  bring_events(job);
  return NULL;
}

static void a_foreign_thread_brings_the_events(void) {
  for (int i = 0; i < 30; ++i) {
    Job job = {0};
    const pthread_t thread = start_foreign_thread(bring_from_outside, &job);
    spawn(&job, has_events);
    wait_for_number(&job.done, 1);
    pthread_join(thread, NULL);
  }
}

// -- Events that come to zero while the body runs.

static void zero_on_the_way(void* argument) {
  Job* const job = argument;
  struct alpi_task* const self = self_task();
  atomic_fetch_add(&job->begun, 1);
  for (int i = 0; i < 3; ++i) {
    CHECK_SUCCESS(alpi_task_events_increase(self, 1));
    CHECK_SUCCESS(alpi_task_events_decrease(self, 1));
    CHECK_SUCCESS(alpi_task_waitfor_ns(5000, NULL));
    CHECK(job->done == 0);
  }
  job->letter = 1;
  atomic_store(&job->last_event_comes, 1);
  atomic_store(&job->body_has_ended, 1);
}

static void zero_before_the_end_is_not_the_end(void) {
  Job job = {0};
  spawn(&job, zero_on_the_way);
  wait_for_number(&job.done, 1);
}

// -- Who is done may spawn the next, and may free what the task had.

static atomic_int g_generations;

static void nothing(void* argument) {
  CHECK(argument != NULL);
}

static void spawn_next(void* argument) {
  int* const left = argument;
  const int next = *left - 1;
  free(left);
  atomic_fetch_add(&g_generations, 1);
  if (next == 0) return;
  int* const successor = malloc(sizeof *successor);
  *successor = next;
  CHECK_SUCCESS(alpi_task_spawn(nothing, successor, spawn_next, successor, "generation", NULL));
}

static void it_may_spawn(void) {
  enum { kGenerations = 200 };
  atomic_store(&g_generations, 0);
  int* const first = malloc(sizeof *first);
  *first = kGenerations;
  CHECK_SUCCESS(alpi_task_spawn(nothing, first, spawn_next, first, "generation", NULL));
  wait_for_number(&g_generations, kGenerations);
}

// It may be what somebody waits for.
static void unblock(void* task) {
  CHECK_SUCCESS(alpi_task_unblock(task));
}

static void it_may_unblock(void) {
  for (int i = 0; i < 50; ++i) {
    struct alpi_task* const self = self_task();
    CHECK_SUCCESS(alpi_task_spawn(nothing, self, unblock, self, NULL, NULL));
    CHECK_SUCCESS(alpi_task_block(self));
  }
}

int main(void) {
  find_alpi();
  CHECK_SUCCESS(alpi_version_check(1, 2));
  for (int round = 0; round < 2; ++round) {
    it_comes_after_the_body();
    it_comes_after_the_events();
    a_foreign_thread_brings_the_events();
    zero_before_the_end_is_not_the_end();
    it_may_spawn();
    it_may_unblock();
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
      it_comes_after_the_body();
#pragma omp task
      a_foreign_thread_brings_the_events();
      it_comes_after_the_events();
      zero_before_the_end_is_not_the_end();
#pragma omp taskwait
      it_may_spawn();
#pragma omp task
      it_may_unblock();
    }
  }
  CHECK(omp_in_parallel() == 0);
}
