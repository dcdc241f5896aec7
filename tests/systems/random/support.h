/* What every generated program includes: traces of its tasks, and the check of a round's traces against what
 * the oracle demands. C and C++.
 *
 * Words: slot, mark, place, cell as in model.py. A *round* is one execution of the whole program; its traces
 * are checked at its end, and forgotten before the next. A generated program defines before: SLOTS, ROOTS,
 * EXECUTIONS (of each task a round), LINGER (percent of bodies that take time), and behind: the tables that
 * are declared here, and the round.
 *
 * All stamps come from one counter. It is read with relaxed order: of two additions of which one happens
 * before the other, the first gives the lower number; and ThreadSanitizer takes no order from it that the
 * runtime has not made. */
#ifndef RANDOM_SUPPORT_H
#define RANDOM_SUPPORT_H

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "heddle.h"

/* ALPI, which libheddle alone has. */
struct alpi_task;
#ifdef __cplusplus
extern "C" {
#endif
int alpi_version_check(int, int) __attribute__((weak));
int alpi_task_self(struct alpi_task**) __attribute__((weak));
int alpi_task_block(struct alpi_task*) __attribute__((weak));
int alpi_task_unblock(struct alpi_task*) __attribute__((weak));
int alpi_task_events_increase(struct alpi_task*, uint64_t) __attribute__((weak));
int alpi_task_events_decrease(struct alpi_task*, uint64_t) __attribute__((weak));
#ifdef __cplusplus
}
#endif

enum {
  kTask = 1,
  kMark = 2,
  kOptional = 4,
  kInFinal = 8,
  kIncluded = 16,
  kNever = 32,
  kUnreplayed = 64,
  kNoTrace = 128,
  kOnce = 256
};
enum { kCells = 8, kMaxErrors = 8 };
enum { kUndeferred = 3 }; /* why one comes before another */
enum AccessKind { kIn, kOut, kMutex, kSet };

typedef struct {
  unsigned begin, end, fulfilled, created;
  int runs, line;
  void *creator, *executor; /* threads */
} Slot;
typedef struct {
  int first, second, why;
} Before;
typedef struct {
  int first, second;
} Pair;
typedef struct {
  int slot, cell, kind;
} Access;

/* The tables of the oracle; each ends with an entry of negative numbers. */
extern const unsigned short kinds[SLOTS];
extern const long sums[SLOTS][2]; /* of the reductions of the construct before a mark */
extern const Before before[];
extern const Pair inside[], apart[];
extern const Access accesses[];
static void program_round(void); /* one round, without begin_round() and end_round() */
static int program_main(void);   /* all rounds */

#define RELAXED_LOAD(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define RELAXED_STORE(x, value) __atomic_store_n(&(x), (value), __ATOMIC_RELAXED)

static Slot slot_of[SLOTS];
static uint64_t cell_of[SLOTS * kCells];
static uint64_t* expected_values; /* for each execution of a round, one an access */
static int first_access[SLOTS + 1];
static unsigned clock_of_stamps, errors, bodies, encounters, recordings;
static int objects; /* firstprivate ones of C++ that live */
static unsigned rounds, current_round;
static double budget_s = 0.2;
static unsigned most_rounds = 1u << 30;
static const char* planted = "";
static double started_s;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static unsigned stamp(void) {
  return __atomic_add_fetch(&clock_of_stamps, 1u, __ATOMIC_RELAXED);
}

/* Prints the first few errors of a round. */
__attribute__((format(printf, 1, 2))) static void wrong(const char* format, ...) {
  if (__atomic_fetch_add(&errors, 1u, __ATOMIC_RELAXED) >= kMaxErrors) return;
  char text[400];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  fprintf(stderr, "round %u: %s\n", current_round, text);
}

/* Not inlined: a compiler may keep the address of a thread's variable while an untied task changes its
 * thread. */
__attribute__((noinline)) static void* this_thread(void) {
  static __thread char self;
  __asm__ volatile("" ::: "memory");
  return &self;
}

static uint64_t mixed(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 29;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 32;
}

/* -- Time: from nothing to 200 us, another choice each round ----------------------------------------------
 */

__attribute__((noinline)) static void linger(int slot, int where) {
  const uint64_t chance = mixed((uint64_t)slot << 34 ^ (uint64_t)where << 32 ^ RELAXED_LOAD(current_round));
  if (chance % 100 >= LINGER) return;
  const unsigned kind = chance >> 8 & 15;
  if (kind == 15) {
    usleep((unsigned)(chance >> 16 & 127));
  } else {
    const double until = seconds() + 1e-6 * (double)(kind == 14  ? 200
                                                     : kind > 10 ? chance >> 16 & 31
                                                                 : kind & 1);
    while (seconds() < until) continue;
  }
}

/* -- Outsider: a plain thread that fulfils events ---------------------------------------------------------
 */

enum HandedKind { kEvent, kUnblock, kDecrease };
typedef struct {
  enum HandedKind kind;
  omp_event_handle_t event;
  struct alpi_task* task;
  unsigned* stamp_at; /* where the moment before is written */
} Handed;
enum { kMostHanded = 4096 };
static Handed handed[kMostHanded];
static unsigned handed_first, handed_end;
static pthread_mutex_t handed_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t handed_some = PTHREAD_COND_INITIALIZER;
static int outsider_runs;

static void fulfil(omp_event_handle_t event, unsigned* stamp_at) {
  RELAXED_STORE(*stamp_at, stamp());
  omp_fulfill_event(event);
}

static void* outsider(void* unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&handed_lock);
    while (handed_first == handed_end) pthread_cond_wait(&handed_some, &handed_lock);
    /* Of several the youngest now and then, so that they are not fulfilled in the order of their tasks. */
    unsigned which = handed_first;
    if (handed_end - handed_first > 1 && (RELAXED_LOAD(clock_of_stamps) & 1)) which = handed_end - 1;
    const Handed next = handed[which % kMostHanded];
    handed[which % kMostHanded] = handed[handed_first % kMostHanded];
    handed_first++;
    pthread_mutex_unlock(&handed_lock);
    linger((int)(handed_first % 1024), 3);
    if (next.kind == kEvent) {
      fulfil(next.event, next.stamp_at);
    } else {
      RELAXED_STORE(*next.stamp_at, stamp());
      if ((next.kind == kUnblock ? alpi_task_unblock(next.task) : alpi_task_events_decrease(next.task, 1)) !=
          0)
        wrong("ALPI refuses to unblock a task or to decrease its events");
    }
  }
}

static void hand_anything_over(Handed what) {
  pthread_mutex_lock(&handed_lock);
  if (!outsider_runs) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, outsider, NULL) != 0) abort();
    pthread_detach(thread);
    outsider_runs = 1;
  }
  if (handed_end - handed_first == kMostHanded) abort();
  handed[handed_end++ % kMostHanded] = what;
  pthread_cond_signal(&handed_some);
  pthread_mutex_unlock(&handed_lock);
}

static void hand_over(omp_event_handle_t event, unsigned* stamp_at) {
  Handed what = {kEvent, event, NULL, stamp_at};
  hand_anything_over(what);
}

static void hand_task_over(enum HandedKind kind, unsigned* stamp_at) {
  Handed what = {kind, (omp_event_handle_t)0, NULL, stamp_at};
  if (alpi_task_self(&what.task) != 0) wrong("ALPI does not know the task");
  hand_anything_over(what);
}

/* The task is complete when the outsider has decreased its events. On other runtimes nothing. */
__attribute__((noinline)) static void bind_event(int slot) {
  struct alpi_task* self;
  if (alpi_task_self == NULL) return;
  if (alpi_task_self(&self) != 0 || alpi_task_events_increase(self, 1) != 0) wrong("ALPI gives no event");
  hand_task_over(kDecrease, &slot_of[slot].fulfilled);
}

/* Blocks the task until the outsider has unblocked it. */
__attribute__((noinline)) static void block(void) {
  if (alpi_task_block == NULL) return;
  unsigned unblocked = 0;
  struct alpi_task* self;
  void* const thread = this_thread();
  hand_task_over(kUnblock, &unblocked);
  if (alpi_task_self(&self) != 0 || alpi_task_block(self) != 0) wrong("ALPI does not block the task");
  if (RELAXED_LOAD(unblocked) == 0) wrong("a blocked task went on before it was unblocked");
  if (this_thread() != thread) wrong("a blocked task went on with another thread");
}

/* Suspends the task until the outsider has fulfilled an event. On other runtimes nothing. */
__attribute__((noinline)) static void suspend(void) {
  if (omp_task_continuation_event == NULL) return;
  unsigned fulfilled = 0;
  void* const thread = this_thread();
  const omp_event_handle_t event = (omp_event_handle_t)omp_task_continuation_event();
  hand_over(event, &fulfilled);
  omp_taskwait_detach(event);
  if (RELAXED_LOAD(fulfilled) == 0) wrong("a suspended task went on before its event was fulfilled");
  if (this_thread() != thread) wrong("a suspended task went on with another thread");
}

static void nap(int slot) {
  if (heddle_task_sleep_ns) heddle_task_sleep_ns((unsigned long long)(slot % 7) * 9000);
}

/* -- What a body writes of itself --------------------------------------------------------------------------
 */

static void create(int slot, int line) {
  Slot* const s = &slot_of[slot];
  RELAXED_STORE(s->line, line);
  RELAXED_STORE(s->creator, this_thread());
  RELAXED_STORE(s->created, stamp());
}

static void mark(int slot, int line) {
  RELAXED_STORE(slot_of[slot].line, line);
  RELAXED_STORE(slot_of[slot].begin, stamp());
  __atomic_fetch_add(&slot_of[slot].runs, 1, __ATOMIC_RELAXED);
}

static uint64_t written(uint64_t value, int slot) {
  return value * 31 + (uint64_t)slot + 1;
}

/* Whether each of the slot's executions in a round comes after the one before, so that their values are
 * known. */
static int follows_itself(int slot) {
  for (int i = first_access[slot]; i < first_access[slot + 1]; i++)
    if (accesses[i].kind == kOut || accesses[i].kind == kMutex) return 1;
  return EXECUTIONS == 1;
}

static void check_values(int slot, int execution, int is_end) {
  if (execution >= EXECUTIONS || !follows_itself(slot)) return;
  for (int i = first_access[slot]; i < first_access[slot + 1]; i++) {
    if (accesses[i].kind != kIn && accesses[i].kind != kOut) continue;
    const uint64_t found = cell_of[accesses[i].cell];
    const uint64_t right = expected_values[(size_t)execution * (size_t)first_access[SLOTS] + (size_t)i];
    if (found != right)
      wrong("task %d (line %d) at its %s finds %llu in cell %d of parent %d, not %llu: accesses out of order",
            slot, RELAXED_LOAD(slot_of[slot].line), is_end ? "end" : "begin", (unsigned long long)found,
            accesses[i].cell % kCells, accesses[i].cell / kCells, (unsigned long long)right);
  }
}

static int begin_task(int slot) {
  Slot* const s = &slot_of[slot];
  RELAXED_STORE(s->begin, stamp());
  RELAXED_STORE(s->executor, this_thread());
  const int execution = __atomic_fetch_add(&s->runs, 1, __ATOMIC_RELAXED);
  if (((kinds[slot] & kInFinal) != 0) != (omp_in_final() != 0))
    wrong("task %d (line %d): omp_in_final() is %d", slot, RELAXED_LOAD(s->line), omp_in_final());
  check_values(slot, execution, 0);
  linger(slot, 0);
  return execution;
}

static void end_task(int slot, int execution) {
  linger(slot, 1);
  check_values(slot, execution, 1);
  for (int i = first_access[slot]; i < first_access[slot + 1]; i++) {
    uint64_t* const cell = &cell_of[accesses[i].cell];
    if (accesses[i].kind == kOut) *cell = written(*cell, slot);
    if (accesses[i].kind == kMutex) {
      const uint64_t mine = *cell;
      __asm__ volatile("" ::: "memory");
      *cell = mine + mixed((uint64_t)slot);
    }
    if (accesses[i].kind == kSet) __atomic_fetch_add(cell, mixed((uint64_t)slot), __ATOMIC_RELAXED);
  }
  RELAXED_STORE(slot_of[slot].end, stamp());
}

/* A value that a taskwait with depend(in) has made readable. */
static void check_waited(int slot) {
  check_values(slot, 0, 0);
}

static long weight(int slot) {
  return (long)((uint64_t)slot * 2654435761u >> 7 & 0xffff);
}
static long larger(long a, long b) {
  return a > b ? a : b;
}

static void check_sum(const char* name, long found, int mark_behind, int which, int line) {
  const long right = sums[mark_behind][which];
  if (strcmp(planted, "sum") == 0) found++;
  if (found != right) wrong("reduction %s (line %d) is %ld, not %ld", name, line, found, right);
}

/* -- firstprivate data -------------------------------------------------------------------------------------
 */

static uint64_t captured_value(int slot) {
  return mixed((uint64_t)slot + 77);
}

#ifdef __cplusplus
/* Counts what lives, and knows its own address. */
struct Object {
  uint64_t value;
  const Object* self;
  explicit Object(uint64_t v = 0) : value(v), self(this) {
    __atomic_fetch_add(&objects, 1, __ATOMIC_RELAXED);
  }
  Object(const Object& from) : value(from.value), self(this) {
    if (from.self != &from) wrong("an object is copied from one that is none");
    __atomic_fetch_add(&objects, 1, __ATOMIC_RELAXED);
  }
  Object& operator=(const Object&) = delete;
  ~Object() {
    if (self != this) wrong("an object is destroyed where none was made");
    self = NULL;
    __atomic_fetch_sub(&objects, 1, __ATOMIC_RELAXED);
  }
};
typedef Object Capture0;
#else
typedef struct {
  uint64_t value;
} Capture0;
#endif
typedef struct {
  uint64_t value;
} Capture1;
typedef struct {
  uint64_t value, more[23];
} Capture2;
typedef struct {
  uint64_t value, more[600];
} Capture3;
typedef struct {
  uint64_t value, more[7];
} __attribute__((aligned(64))) Capture4;

#define CAPTURE(x, slot)                                                             \
  do {                                                                               \
    (x).value = captured_value(slot);                                                \
    if (sizeof(x) > 16) ((uint64_t*)(void*)&(x))[sizeof(x) / 8 - 1] = (x).value + 1; \
  } while (0)

#define CHECK_CAPTURE(x, slot)                                                                 \
  do {                                                                                         \
    if ((x).value != captured_value(slot) ||                                                   \
        (sizeof(x) > 16 &&                                                                     \
         ((const uint64_t*)(const void*)&(x))[sizeof(x) / 8 - 1] != captured_value(slot) + 1)) \
      wrong("task %d (line %d): its firstprivate data are not those of its creation", slot,    \
            RELAXED_LOAD(slot_of[slot].line));                                                 \
    if ((uintptr_t)&(x) % __alignof__(x) != 0)                                                 \
      wrong("task %d: its firstprivate data are not aligned", slot);                           \
  } while (0)

/* -- Rounds ------------------------------------------------------------------------------------------------
 */

/* Executes all accesses in serial order, once for each execution in a round. */
static void find_expected_values(void) {
  /* Accesses are sorted by slot, and slots are numbered in serial order. */
  int count = 0;
  for (int slot = 0; slot < SLOTS; slot++) {
    first_access[slot] = count;
    while (accesses[count].slot == slot) count++;
  }
  first_access[SLOTS] = count;
  expected_values = (uint64_t*)calloc((size_t)(count + 1) * EXECUTIONS, sizeof *expected_values);
  memset(cell_of, 0, sizeof cell_of);
  for (int e = 0; e < EXECUTIONS; e++) {
    for (int i = 0; i < count; i++) {
      uint64_t* const cell = &cell_of[accesses[i].cell];
      expected_values[(size_t)e * (size_t)count + (size_t)i] = *cell;
      if (accesses[i].kind == kOut) *cell = written(*cell, accesses[i].slot);
      if (accesses[i].kind == kMutex || accesses[i].kind == kSet) *cell += mixed((uint64_t)accesses[i].slot);
    }
  }
}

static uint64_t final_cells[SLOTS * kCells];

static void begin_round(void) {
  for (int i = 0; i < SLOTS; i++) {
    const int line = slot_of[i].line;
    memset(&slot_of[i], 0, sizeof slot_of[i]);
    slot_of[i].line = line; /* a replay creates nothing */
  }
  memset(cell_of, 0, sizeof cell_of);
  clock_of_stamps = 0;
  RELAXED_STORE(current_round, current_round + 1);
}

static unsigned done(int slot) {
  return slot_of[slot].end > slot_of[slot].fulfilled ? slot_of[slot].end : slot_of[slot].fulfilled;
}

/* Spoils the traces as a broken runtime would, so that the check must notice. */
static void plant(void) {
  int i;
  if (strcmp(planted, "lost") == 0 || strcmp(planted, "twice") == 0) {
    for (i = SLOTS - 1; kinds[i] != kTask; i--) continue;
    slot_of[i].runs = planted[0] == 'l' ? 0 : 2;
    if (planted[0] == 'l') slot_of[i].begin = slot_of[i].end = 0;
  } else if (strcmp(planted, "swapped") == 0) {
    for (i = 0; before[i].first >= 0 && !(done(before[i].first) && slot_of[before[i].second].begin); i++)
      continue;
    if (before[i].first >= 0) slot_of[before[i].second].begin = done(before[i].first) - 1;
  } else if (strcmp(planted, "overlap") == 0 && apart[0].first >= 0) {
    slot_of[apart[0].first].begin = slot_of[apart[0].second].begin + 1;
    slot_of[apart[0].first].end = slot_of[apart[0].second].end + 1;
  } else if (strcmp(planted, "value") == 0) {
    for (i = 0; accesses[i].slot >= 0 && accesses[i].kind == kIn; i++) continue;
    if (accesses[i].slot >= 0) cell_of[accesses[i].cell]++;
  }
}

static void check_slot(int i, int may_be_cancelled) {
  const Slot* const s = &slot_of[i];
  const int kind = kinds[i];
  if (kind & kNever) {
    if (s->runs != !may_be_cancelled)
      wrong("what follows the cancel directive of line %d is executed %d times", s->line, s->runs);
    return;
  }
  const int is_optional = (may_be_cancelled && (kind & kOptional)) || (kind & kUnreplayed);
  const int right = kind & kOnce ? 1 : EXECUTIONS;
  if (s->runs > right || (s->runs < right && !is_optional))
    wrong("%s %d (line %d) is executed %d times, not %d", kind & kMark ? "mark" : "task", i, s->line, s->runs,
          right);
  bodies += (unsigned)(kind & kTask ? s->runs : 0);
  if (kind & kNoTrace || s->runs == 0) return;
  if (kind & kTask && s->end <= s->begin)
    wrong("task %d (line %d) begins at %u and ends at %u", i, s->line, s->begin, s->end);
  if (kind & kTask && s->created && s->begin <= s->created)
    wrong("task %d (line %d) begins at %u, before it was created at %u", i, s->line, s->begin, s->created);
  if (kind & kIncluded && s->creator && s->creator != s->executor)
    wrong("the included task %d (line %d) is executed by another thread", i, s->line);
}

/* Checks everything that is demanded of the round. Requires: all its tasks are complete. */
static void end_round(void) {
  static const char* const kWhy[] = {"depend",     "taskwait",        "taskgroup or taskloop",
                                     "undeferred", "taskwait depend", "an earlier wait"};
  if (planted[0]) plant();
  const int may_be_cancelled = omp_get_cancellation();
  for (int i = 0; i < SLOTS; i++) check_slot(i, may_be_cancelled);
  for (int i = 0; before[i].first >= 0; i++) {
    const int a = before[i].first, b = before[i].second;
    if (slot_of[a].begin == 0 || slot_of[b].begin == 0) continue;
    /* Of an undeferred task its body alone is waited for. */
    const unsigned when = before[i].why == kUndeferred ? slot_of[a].end : done(a);
    if (when >= slot_of[b].begin)
      wrong("%d (line %d) begins at %u, before task %d (line %d) is complete at %u: %s", b, slot_of[b].line,
            slot_of[b].begin, a, slot_of[a].line, when, kWhy[before[i].why]);
  }
  for (int i = 0; inside[i].first >= 0; i++) {
    const int a = inside[i].first, b = inside[i].second;
    if (slot_of[b].begin == 0 || (slot_of[a].begin == 0 && kinds[a] & kMark)) continue;
    if (slot_of[a].begin == 0 || slot_of[a].begin >= slot_of[b].begin)
      wrong("%d (line %d) begins at %u, before %d (line %d), which comes before, at %u", b, slot_of[b].line,
            slot_of[b].begin, a, slot_of[a].line, slot_of[a].begin);
  }
  for (int i = 0; apart[i].first >= 0; i++) {
    const int a = apart[i].first, b = apart[i].second;
    if (slot_of[a].begin == 0 || slot_of[b].begin == 0) continue;
    if (slot_of[a].begin < slot_of[b].end && slot_of[b].begin < slot_of[a].end)
      wrong("task %d (line %d) and task %d (line %d) exclude each other but overlap", a, slot_of[a].line, b,
            slot_of[b].line);
  }
  if (memcmp(cell_of, final_cells, sizeof cell_of) != 0)
    wrong("cells hold other values than after the serial order");
  if (objects != 0) {
    wrong("%d firstprivate objects are left, or were destroyed too often", objects);
    objects = 0;
  }
  rounds++;
}

/* Whether there is to be another round. */
static int goes_on(void) {
  return RELAXED_LOAD(errors) == 0 && rounds < most_rounds &&
         (rounds < 2 || seconds() - started_s < budget_s);
}

/* Says what has not ended, for a program that is ended from outside. Its output is all that is wanted of it.
 */
static void say_where(int number) {
  static char text[200];
  int left = 0;
  int length =
      snprintf(text, sizeof text, "signal %d in round %u: what has not ended:\n", number, current_round);
  if (write(2, text, (size_t)length) < 0) _exit(124);
  for (int i = 0; i < SLOTS && left < 24; i++) {
    const Slot* const s = &slot_of[i];
    if (s->end != 0 || !(kinds[i] & kTask) || (s->created == 0 && s->begin == 0)) continue;
    length =
        snprintf(text, sizeof text, "  task %d (line %d): created at %u, begun at %u, executed %d times\n", i,
                 s->line, s->created, s->begin, s->runs);
    if (write(2, text, (size_t)length) < 0) break;
    left++;
  }
  _exit(124);
}

/* --seconds S: begins no round after S seconds, but two at least. --rounds N: at most N.
 * --plant KIND: spoils the traces. */
int main(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--seconds") == 0) budget_s = atof(argv[i + 1]);
    if (strcmp(argv[i], "--rounds") == 0) most_rounds = (unsigned)atoi(argv[i + 1]);
    if (strcmp(argv[i], "--plant") == 0) planted = argv[i + 1];
  }
  signal(SIGTERM, say_where);
  /* The first call of ALPI comes before the first task, or tasks that are executed at their creation have no
   * events. */
  if (USES_ALPI && alpi_version_check) alpi_version_check(1, 0);
  find_expected_values();
  memcpy(final_cells, cell_of, sizeof cell_of);
  started_s = seconds();
  program_main();
  printf("rounds %u bodies %u encounters %u recordings %u errors %u\n", rounds, bodies, encounters,
         recordings, errors);
  fflush(stdout);
  return errors != 0;
}

#endif
