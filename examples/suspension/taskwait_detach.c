// What it costs to go on when an event arrives: by a task that is complete with its event and a successor of
// it (task detach), and by one task that suspends itself (taskwait detach). After section 4.1 of Pereira et
// al., "Suspending OpenMP Tasks on Asynchronous Events", IWOMP 2023: 2 N independent tasks, half of them for
// the events, and N continuations that are tasks with a dependence or the rest of a task.
//
//     taskwait_detach [N [detach|suspension|both]]
//
// The form 'detach' runs on every OpenMP runtime that has such events, though libgomp 12 deadlocks now and
// then, or takes an event for one that has been fulfilled.
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "heddle.h"
#include "suspension/arguments.h"

enum { kDefaultContinuations = 100000, kMostContinuations = 100000000, kWarmUp = 1000 };

// What passes through one event: the task for the event writes it, the continuation reads it.
typedef struct Message {
  int sent;
  int received;
} Message;

static void continue_by_successor(Message* message) {
  omp_event_handle_t event = 0;  // Clang warns otherwise; the construct sets it
#pragma omp task depend(out : message->sent) detach(event) firstprivate(message)
  {
#pragma omp task firstprivate(event, message)
    {
      message->sent = 1;
      omp_fulfill_event(event);
    }
  }
#pragma omp task depend(in : message->sent) firstprivate(message)
  message->received = message->sent;
}

static void continue_by_suspension(Message* message) {
#pragma omp task firstprivate(message)
  {
    const omp_event_handle_t event = omp_task_continuation_event();
#pragma omp task firstprivate(event, message)
    {
      message->sent = 1;
      omp_fulfill_event(event);
    }
    omp_taskwait_detach(event);
    message->received = message->sent;
  }
}

typedef struct Form {
  const char* name;
  void (*create)(Message* message);
} Form;

static const Form kForms[] = {{"detach", continue_by_successor}, {"suspension", continue_by_suspension}};
enum { kDetach, kSuspension, kFormCount };

// Returns the seconds from the creation of the first task to the end of the last.
static double execute(const Form* form, Message* messages, long count) {
  memset(messages, 0, (size_t)count * sizeof *messages);
  const double began = omp_get_wtime();
#pragma omp parallel for schedule(static)
  for (long i = 0; i < count; i++) form->create(&messages[i]);
  return omp_get_wtime() - began;
}

static long not_received(const Message* messages, long count) {
  long missing = 0;
  for (long i = 0; i < count; i++) missing += messages[i].received != 1;
  return missing;
}

// Returns 0, or 1 where a continuation did not find what its event stands for.
static int measure(const Form* form, Message* messages, long count) {
  execute(form, messages, count < kWarmUp ? count : kWarmUp);
  const double seconds = execute(form, messages, count);
  const long missing = not_received(messages, count);
  if (missing > 0) {
    fprintf(stderr, "%s: %ld of %ld continuations went on before their events\n", form->name, missing, count);
    return 1;
  }
  printf("%-10s %ld continuations, %d threads: %.1f ns each\n", form->name, count, omp_get_max_threads(),
         1e9 * seconds / (double)count);
  return 0;
}

int main(int argc, char** argv) {
  const int can_suspend = omp_task_continuation_event != NULL && omp_taskwait_detach != NULL;
  const long count = argc > 1 ? number_in(argv[1], 1, kMostContinuations) : kDefaultContinuations;
  const char* wanted = argc > 2 ? argv[2] : can_suspend ? "both" : kForms[kDetach].name;
  int is_wanted[kFormCount], wanted_forms = 0;
  for (int i = 0; i < kFormCount; i++) {
    is_wanted[i] = strcmp(wanted, kForms[i].name) == 0 || strcmp(wanted, "both") == 0;
    wanted_forms += is_wanted[i];
  }
  if (count < 0 || wanted_forms == 0 || argc > 3) {
    fprintf(stderr, "usage: taskwait_detach [N [detach|suspension|both]], N from 1 to %d\n",
            kMostContinuations);
    return 1;
  }
  if (is_wanted[kSuspension] && !can_suspend) {
    fprintf(stderr, "this OpenMP runtime cannot suspend tasks: choose detach, or run on libheddle\n");
    return 1;
  }
  Message* messages = malloc((size_t)count * sizeof *messages);
  if (messages == NULL) {
    fprintf(stderr, "there is no memory for %ld messages\n", count);
    return 1;
  }
  int status = 0;
  for (int i = 0; i < kFormCount; i++)
    if (is_wanted[i]) status |= measure(&kForms[i], messages, count);
  free(messages);
  return status;
}
