// What single steps of an OpenMP runtime take. Prints ns: the least of several rounds, since a machine only
// adds. heddle calibrate runs it, once for each question, and works the costs of the simulator out of the
// answers.
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kRounds = 15, kTasks = 2000, kRegions = 300, kHandoffs = 200 };

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static double least(double before, double ns) {
  return ns < before ? ns : before;
}

static volatile int g_sink;

// ns for each of so many, of what one thread of a region does with them.
static double least_for_each(int count, void (*work)(void)) {
  double best = 1e18;
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel
#pragma omp single
    {
      const double began = now_ns();
      work();
      best = least(best, (now_ns() - began) / count);
    }
  }
  return best;
}

static void do_tasks(void) {
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    g_sink = i;
  }
#pragma omp taskwait
}

static double tasks(void) {
  return least_for_each(kTasks, do_tasks);
}

// Each task of a chain waits for the one before, by one or by four addresses. (GCC: they are only named in
// clauses.)
static char g_at[4 * 64] __attribute__((unused));

static void do_chain(void) {
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : g_at[0])
    g_sink = i;
  }
#pragma omp taskwait
}

static void do_chain4(void) {
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : g_at[0], g_at[64], g_at[128], g_at[192])
    g_sink = i;
  }
#pragma omp taskwait
}

static double chain(void) {
  return least_for_each(kTasks, do_chain);
}

static double chain4(void) {
  return least_for_each(kTasks, do_chain4);
}

// From the creation of a task to its begin on the other thread, which waits.
static double handoff(void) {
  double best = 1e18;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < kHandoffs; i++) {
      for (const double until = now_ns() + 20000; now_ns() < until;) {
      }
      _Atomic int has_begun = 0;
      const double began = now_ns();
#pragma omp task shared(has_begun)
      atomic_store(&has_begun, 1);
      while (!atomic_load(&has_begun)) {
      }
      best = least(best, now_ns() - began);
#pragma omp taskwait
    }
  }
  return best;
}

static double barrier(void) {
  double best = 1e18;
#pragma omp parallel
  for (int round = 0; round < kRounds; round++) {
#pragma omp barrier
    const double began = now_ns();
    for (int i = 0; i < kRegions; i++) {
#pragma omp barrier
    }
    const double mean = (now_ns() - began) / kRegions;
#pragma omp masked
    best = least(best, mean);
  }
  return best;
}

// sleep_us: how long the program does something else before each region.
static double region_after(int regions, unsigned sleep_us) {
  double best = 1e18;
  for (int round = 0; round < kRounds; round++) {
    double sum = 0;
    for (int i = 0; i < regions; i++) {
      if (sleep_us != 0) usleep(sleep_us);
      const double began = now_ns();
#pragma omp parallel
      g_sink = 1;
      sum += now_ns() - began;
    }
    best = least(best, sum / regions);
  }
  return best;
}

static double region(void) {
  return region_after(kRegions, 0);
}

static double sleeping(void) {
  return region_after(1, 30000);
}

// What the creator of a task takes for waking the other thread, creation included.
static double waking(void) {
  double best = 1e18;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    usleep(30000);
    const double began = now_ns();
#pragma omp task
    g_sink = 1;
    best = least(best, now_ns() - began);
#pragma omp taskwait
  }
  return best;
}

// A word that two threads write in turn, each time.
static double line(void) {
  static _Atomic int turn;
  enum { kSteps = 5000 };
  double best = 1e18;
#pragma omp parallel
  for (int round = 0; round < kRounds; round++) {
    const int me = omp_get_thread_num();
    atomic_store(&turn, 0);
#pragma omp barrier
    const double began = now_ns();
    for (int i = 0; i < kSteps; i++) {
      while (atomic_load(&turn) != me) {
      }
      atomic_store(&turn, 1 - me);
    }
#pragma omp barrier
    const double each = (now_ns() - began) / (2 * kSteps);
#pragma omp masked
    best = least(best, each);
  }
  return best;
}

static double chunks(void) {
  double best = 1e18;
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel
    {
      const double began = now_ns();
#pragma omp for schedule(dynamic, 1)
      for (int i = 0; i < kTasks; i++) g_sink = i;
#pragma omp masked
      best = least(best, (now_ns() - began) / kTasks);
    }
  }
  return best;
}

// Chunks of a taskloop, none of which another thread takes.
static void do_taskloop(void) {
#pragma omp taskloop num_tasks(kTasks)
  for (int i = 0; i < kTasks; i++) g_sink = i;
}

static double taskloop_chunks(void) {
  return least_for_each(kTasks, do_taskloop);
}

// The questions from here on are those of runtimes that keep no thread from queueing: few enough tasks for
// every queue, and the other thread executes one as long as they are measured.
enum { kFew = 100 };

// ns a task, of the creator and of who executes it.
typedef struct Few {
  double created, executed;
} Few;

// create: creates the tasks.
static Few measure_few(void (*create)(void)) {
  Few best = {1e18, 1e18};
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel
#pragma omp single
    {
      _Atomic int has_begun = 0, may_end = 0;
#pragma omp task shared(has_begun, may_end)
      {
        atomic_store(&has_begun, 1);
        while (!atomic_load(&may_end)) {
        }
      }
      while (!atomic_load(&has_begun)) {
      }
      const double began = now_ns();
      double middle;
#pragma omp taskgroup
      {
        create();
        middle = now_ns();
      }
      best.created = least(best.created, (middle - began) / kFew);
      best.executed = least(best.executed, (now_ns() - middle) / kFew);
      atomic_store(&may_end, 1);
    }
  }
  return best;
}

static void create_plain(void) {
  for (int i = 0; i < kFew; i++) {
#pragma omp task
    g_sink = i;
  }
}

static void create_undeferred(void) {
  for (int i = 0; i < kFew; i++) {
#pragma omp task if (0)
    g_sink = i;
  }
}

static void create_chain(void) {
  static char at[1];
  (void)at;
  for (int i = 0; i < kFew; i++) {
#pragma omp task depend(inout : at[0])
    g_sink = i;
  }
}

static void create_chain4(void) {
  static char at[4 * 64];
  (void)at;
  for (int i = 0; i < kFew; i++) {
#pragma omp task depend(inout : at[0], at[64], at[128], at[192])
    g_sink = i;
  }
}

static double created(void) {
  return measure_few(create_plain).created;
}

static double executed(void) {
  return measure_few(create_plain).executed;
}

static double undeferred(void) {
  return measure_few(create_undeferred).created;
}

static double created_and_executed(void (*create)(void)) {
  const Few few = measure_few(create);
  return few.created + few.executed;
}

static double few_chain(void) {
  return created_and_executed(create_chain);
}

static double few_chain4(void) {
  return created_and_executed(create_chain4);
}

// One thread creates tasks, which both execute.
static void do_shared(void) {
#pragma omp taskgroup
  create_plain();
}

static double shared(void) {
  return least_for_each(kFew, do_shared);
}

// How long a thread that has nothing to do keeps its processor.
static double spinning(void) {
  enum { kLongest = 400000 };  // us
#pragma omp parallel
  g_sink = 1;
  struct timespec began, ended;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
  usleep(kLongest);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  return 1e9 * (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec);
}

static const struct {
  const char* name;
  double (*ask)(void);
} kQuestions[] = {
    {"tasks", tasks},
    {"chain", chain},
    {"chain4", chain4},
    {"handoff", handoff},
    {"barrier", barrier},
    {"region", region},
    {"sleeping", sleeping},
    {"waking", waking},
    {"line", line},
    {"chunks", chunks},
    {"taskloop_chunks", taskloop_chunks},
    {"created", created},
    {"executed", executed},
    {"undeferred", undeferred},
    {"few chain", few_chain},
    {"few chain4", few_chain4},
    {"shared", shared},
    {"spinning", spinning},
};
enum { kCount = sizeof kQuestions / sizeof kQuestions[0] };

int main(int argc, char** argv) {
  for (int i = 0; argc == 2 && i < kCount; i++) {
    if (strcmp(argv[1], kQuestions[i].name) == 0) {
      printf("%.1f\n", kQuestions[i].ask());
      return 0;
    }
  }
  fprintf(stderr, "heddle-calibrate: give one of:");
  for (int i = 0; i < kCount; i++) fprintf(stderr, " %s", kQuestions[i].name);
  fprintf(stderr, "\n");
  return 2;
}
