/* heddle.h: what libheddle offers beyond OpenMP, for C and C++; heddle.f90 is the same for Fortran.
 *
 * The names are weak: a program that includes this file runs on other OpenMP runtimes as well, where the
 * functions are null. Test one before calling it, or heddle_is_here() once:
 *
 *     if (heddle_is_here()) heddle_set_wait(heddle_wait_latency);
 *
 * Source of the scheduling features: Schulz, Gadeschi, Rudyy and Weinzierl, "Task inefficiency patterns for a
 * wave equation solver", IWOMP 2021, features 1 to 4.
 */
#ifndef HEDDLE_H
#define HEDDLE_H

#include <stddef.h>

/* Events are OpenMP's own, where there is OpenMP. */
#if defined(_OPENMP) && defined(__has_include)
#  if __has_include(<omp.h>)
#    include <omp.h>
#    define HEDDLE_EVENT_T omp_event_handle_t
#  endif
#endif
#ifndef HEDDLE_EVENT_T
#  define HEDDLE_EVENT_T size_t
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_API __attribute__((weak, visibility("default")))

/* 100 * major + minor of the library that is loaded. */
HEDDLE_API int heddle_version(void);

static inline int heddle_is_here(void) {
  return heddle_version != NULL;
}

/* -- Waits ------------------------------------------------------------------------------------------------
 */

typedef enum heddle_wait_t {
  heddle_wait_throughput = 0, /* a waiting thread executes any task that it may start */
  heddle_wait_latency = 1     /* it executes only what it waits for, and goes on the moment that is done */
} heddle_wait_t;

/* How the waits of the current task (taskwait, the end of a taskgroup or taskloop) go about it. An internal
 * control variable: tasks and regions that are created from now on start with their creator's value.
 * HEDDLE_WAIT gives the initial value. Barriers wait for all tasks and are not concerned.
 * Errors: any other value is refused with a warning. */
HEDDLE_API void heddle_set_wait(heddle_wait_t wait);
HEDDLE_API heddle_wait_t heddle_get_wait(void);

/* -- Throttle ---------------------------------------------------------------------------------------------
 */

#define HEDDLE_HOLD (-1)

/* How many ready tasks a thread may queue before it executes the next one itself, and how many bytes of tasks
 * it may have created that are not complete before it executes others, or waits while others get on.
 * tasks: 0 for the default (1024; in tasks of tasks 4, as long as what they create is short: a recursion is
 * cut off; none where tasks take less than it costs to share them), HEDDLE_HOLD for no limit: producers go
 * on, and what they produce is there when somebody idles. bytes: 0 for the default (64 MiB). For the whole
 * process, from now on. HEDDLE_THROTTLE gives the initial values. Errors: a negative number of tasks other
 * than HEDDLE_HOLD is refused with a warning. */
HEDDLE_API void heddle_set_throttle(long tasks, size_t bytes);

/* -- The next task ----------------------------------------------------------------------------------------
 */

/* The next explicit task that the calling thread creates is a background task: it is executed where a thread
 * would idle otherwise, or where somebody waits for it. Its priority clause has no say then. */
HEDDLE_API void heddle_next_task_background(void);

typedef struct heddle_task* heddle_task_t;

/* *task becomes a handle of the next explicit task that the calling thread creates: to be given back by
 * heddle_run_task() or heddle_free_task(). Null where that task is executed at once (if(0), final), or may
 * move from thread to thread (untied, as Clang compiles it).
 * Requires: task is valid until that creation. */
HEDDLE_API void heddle_next_task_handle(heddle_task_t* task);

typedef enum heddle_run_t {
  heddle_run_done = 1,      /* the caller has executed it; the handle is given back */
  heddle_run_started = 0,   /* somebody has started it before; the handle is given back */
  heddle_run_not_ready = -1 /* it waits for others; the handle stays */
} heddle_run_t;

/* Executes this very task now, on the calling thread, if nobody has started it. The caller's task is
 * suspended meanwhile. A null handle counts as started. Threads: any of the team that created the task. */
HEDDLE_API heddle_run_t heddle_run_task(heddle_task_t* task);

/* Gives the handle back; the task itself is not concerned. */
HEDDLE_API void heddle_free_task(heddle_task_t* task);

/* -- Nested dependences -----------------------------------------------------------------------------------
 *
 * A transparent task's children are ordered with its siblings: a child that names an address in its depend
 * clause comes after what siblings of the task before it did there, and before what siblings after it do.
 * Siblings wait for the children that concern them and not for all of the task. So tasks can create tasks on
 * many threads, as a creator of a row of blocks does:
 *
 *     if (heddle_is_here()) heddle_next_task_weak(NULL);
 *     #pragma omp task depend(iterator(int j = 0 : n), in : block[i - 1][j]) \
 *         depend(iterator(int j = 0 : n), inout : block[i][j])
 *     {
 *       for (int j = 0; j < n; j++)
 *     #pragma omp task depend(in : block[i - 1][j]) depend(inout : block[i][j])
 *         ...
 *       heddle_end_transparent_task();
 *     }
 *
 * On other runtimes the task is an ordinary one, and waits for its children at its end. It does so, too,
 * while a tool is active. A taskgraph region with such a task is not recorded. `heddle cc` compiles
 * depend(weakin : ...), weakout and weakinout, and transparent, as clauses.
 */

/* The next explicit task that the calling thread creates is transparent, and this address in its depend
 * clauses is weak: the task does not wait for it, but its children that name it do. NULL: all addresses of
 * its clauses are. Siblings wait for the task's body and for children as far as both name the same address in
 * their clauses. Source: OmpSs-2. */
HEDDLE_API void heddle_next_task_weak(const void* address);

/* The next explicit task that the calling thread creates is transparent, as the clause of OpenMP 6.0 with
 * omp_impex makes it: for whatever its children name, and with or without depend clauses of its own, for
 * which it waits. Siblings with depend clauses that are created later wait for its body and children. */
HEDDLE_API void heddle_next_task_transparent(void);

/* The last statement of a transparent task's body, for other runtimes' sake. */
static inline void heddle_end_transparent_task(void) {
#ifdef _OPENMP
  if (heddle_next_task_weak == NULL) {
#  pragma omp taskwait
  }
#endif
}

/* -- Pollers ----------------------------------------------------------------------------------------------
 */

typedef struct heddle_poller* heddle_poller_t;

/* poll(argument) is called again and again, interval_us microseconds after it has returned or later: by
 * threads that wait for tasks or for a region and have nothing to execute, and by others when they end a task
 * or meet taskyield. So it is called late where all threads are in long tasks, and not at all while no thread
 * of the runtime waits or executes tasks. Never by two threads at once. It may fulfil events
 * (omp_fulfill_event) and register or unregister pollers; it must not create tasks, wait for any, or throw.
 * Returns null, with a warning, where 64 pollers are there already. */
HEDDLE_API heddle_poller_t heddle_register_poller(void (*poll)(void* argument), void* argument,
                                                  unsigned interval_us);

/* When it returns the poller has returned for the last time, unless the poller itself is the caller. Null is
 * ignored. */
HEDDLE_API void heddle_unregister_poller(heddle_poller_t poller);

/* -- Suspending tasks -------------------------------------------------------------------------------------
 *
 * A suspended task has left its thread, which goes on with others at once; it goes on with that thread, at a
 * scheduling point and before any other task starts, when what it waits for has come. Implicit tasks and code
 * outside parallel regions may suspend as well. `heddle cc` compiles "taskwait detach(event)" as a directive.
 * Source: Pereira, Martin, Roussel, Carribault and Gautier, "Suspending OpenMP tasks on asynchronous events",
 * IWOMP 2023, section 3.
 */

/* A fresh event of the current task, to be fulfilled once with omp_fulfill_event(), by any thread, before or
 * after somebody waits for it. A task may have several at a time.
 * Requires: it is waited for in the end, or its memory, 64 bytes, stays taken. */
HEDDLE_API HEDDLE_EVENT_T omp_task_continuation_event(void);

/* Suspends the current task until the event is fulfilled; returns at once where it is. The event is of no use
 * afterwards. At most one task waits for an event; it need not be the one that asked for it.
 * Errors: ends the program with a line where the handle is none of omp_task_continuation_event(), or was
 * waited for already. */
HEDDLE_API void omp_taskwait_detach(HEDDLE_EVENT_T event);

/* Suspends the current task for so many nanoseconds, or longer, until its thread comes to a scheduling point.
 */
HEDDLE_API void heddle_task_sleep_ns(unsigned long long ns);

/* -- Ranges ------------------------------------------------------------------------------------------------
 *
 * Parts of the program with a name, for `heddle trace`: a phase, a time step. They nest, and belong to the
 * task that has begun them. Without a trace, on any runtime, each takes a look at a pointer.
 */

HEDDLE_API void heddle_range_push_(const char* name);
HEDDLE_API void heddle_range_pop_(void);

static inline void heddle_range_push(const char* name) {
  if (heddle_range_push_ != NULL) heddle_range_push_(name);
}
static inline void heddle_range_pop(void) {
  if (heddle_range_pop_ != NULL) heddle_range_pop_();
}

/* -- Reports of who waits ---------------------------------------------------------------------------------
 *
 * For libraries whose requests hold tasks up, as messages do: a report (HEDDLE_WATCHDOG, heddle attach) then
 * says of each task which request it waits for.
 */

/* The task that is executed, as a name for it and for nothing else. Threads: any. */
HEDDLE_API const void* heddle_current_task(void);

/* For each report tell(argument, say, report) calls say(report, task, what) for each request that is
 * outstanding: task: of heddle_current_task(), or null; what: in words that go on from "waits for". The
 * watchdog's thread calls it while others run; `heddle attach` while they stand still, so it must not wait
 * for a lock. For good. Warns where 16 are registered already. */
HEDDLE_API void heddle_register_waits(
    void (*tell)(void* argument, void (*say)(void* report, const void* task, const char* what), void* report),
    void* argument);

/* -- Taskgraphs -------------------------------------------------------------------------------------------
 *
 * The taskgraph construct of OpenMP 6.0 (section 14.4), for compilers that do not know it:
 *
 *     HEDDLE_TASKGRAPH(.graph_id = n) {
 *       for (...) {
 *     #pragma omp task depend(...)
 *         ...
 *       }
 *     }
 *
 * The first execution of the region records its tasks, what they depend on and what they capture, and
 * executes them from the record; later ones execute the record in place of the region's own code. They end
 * when all tasks and their descendants are complete, or at once with .nogroup = 1: the next execution may
 * then begin before this one has ended, each task of it when those before it that it depends on are complete.
 * What is not a task, a taskwait or a taskgroup is not executed again.
 *
 * A construct has a record of its own for each graph_id and each frame of the enclosing function, and of the
 * parallel regions around it: shared variables are where they were, firstprivate ones have the values of the
 * recording. So
 * - tasks must not share variables of functions that the region calls, or of blocks in it: they are gone
 * later;
 * - what a C++ reference or a Fortran dummy argument stands for must be the same, or graph_id another;
 * - the region must be left at its end: no break, return or exception out of it.
 *
 * Where a task cannot be recorded, or an explicit task meets the region, it is executed as if if_false held;
 * HEDDLE_LOG=graph tells why. On other runtimes it is executed each time, and ends with a taskwait unless it
 * has nogroup.
 */

typedef struct heddle_taskgraph_t {
  void* graphs; /* null at first; the construct's own */
} heddle_taskgraph_t;

#ifdef __cplusplus
#  define HEDDLE_IS_0_ = 0 /* or compilers complain of clauses that are not given */
#else
#  define HEDDLE_IS_0_
#endif

typedef struct heddle_taskgraph_clauses_t {
  unsigned long graph_id HEDDLE_IS_0_; /* which record; 0 without the clause */
  int graph_reset HEDDLE_IS_0_;        /* not 0: forget the record and make another */
  int if_false HEDDLE_IS_0_;           /* not 0: if(false): neither record nor use a record */
  int captures_bytes HEDDLE_IS_0_; /* not 0: bytes can copy what the tasks capture; so in C, by the macro */
  int nogroup HEDDLE_IS_0_;        /* not 0: the region does not wait for its tasks */
} heddle_taskgraph_clauses_t;

/* What the macro calls. begin returns 1 where the caller is to execute the region and then to call end, and 0
 * where that was done from the record. clauses may be null. frame: of the function that the recorded tasks'
 * shared variables live in; null: the caller's.
 * Threads: each executes its own regions; two in the same record at once execute it plainly. */
HEDDLE_API int heddle_taskgraph_begin(heddle_taskgraph_t* construct,
                                      const heddle_taskgraph_clauses_t* clauses, const void* frame);
HEDDLE_API void heddle_taskgraph_end(void);

#ifdef __SANITIZE_ADDRESS__
#  define HEDDLE_SANITIZES_ADDRESSES_ 1
#elif defined __has_feature
#  if __has_feature(address_sanitizer)
#    define HEDDLE_SANITIZES_ADDRESSES_ 1
#  endif
#endif
#ifdef HEDDLE_SANITIZES_ADDRESSES_
void* __asan_get_current_fake_stack(void); /* null without detect_stack_use_after_return */
#endif

/* Always inlined: the address that it returns to is that of the region, for messages and tools. */
static inline __attribute__((always_inline)) int heddle_taskgraph_enter_(heddle_taskgraph_t* construct,
                                                                         heddle_taskgraph_clauses_t clauses,
                                                                         const void* frame) {
#ifndef __cplusplus
  clauses.captures_bytes = 1;
#endif
#ifdef HEDDLE_SANITIZES_ADDRESSES_
  /* With detect_stack_use_after_return a frame's variables lie elsewhere each time: no record finds them. */
  if (__asan_get_current_fake_stack() != NULL) clauses.if_false = 1;
#endif
  if (heddle_taskgraph_begin != NULL) return heddle_taskgraph_begin(construct, &clauses, frame);
  return clauses.nogroup ? 2 : 1;
}

static inline int heddle_taskgraph_leave_(int entered) {
  if (heddle_taskgraph_end != NULL) {
    heddle_taskgraph_end();
    return 0;
  }
  if (entered == 2) return 0;
#ifdef _OPENMP
#  pragma omp taskwait
#endif
  return 0;
}

/* replayable(e): where is_replayable is 0, the next task or taskloop that the region creates is left out of
 * the record. It is executed while the region is recorded, and not again. No effect where nothing is
 * recorded. */
HEDDLE_API void heddle_next_task_replayable(int is_replayable);

/* -- Ready-made graphs ------------------------------------------------------------------------------------
 */

typedef struct heddle_graph* heddle_graph_t;

/* A task of a graph: run(data) executes it. It may create tasks and wait, like any other. */
typedef struct heddle_graph_task_t {
  void (*run)(void* data);
  void* data;
  int priority; /* as the clause; 0 for none */
} heddle_graph_task_t;

/* Makes a graph of tasks[0] to tasks[count - 1], for programs that know it: rows of a sparse matrix, a
 * compiler. Task i is complete, its descendants not counted, before the tasks successors[first_successor[i]]
 * to successors[first_successor[i + 1] - 1] begin: compressed rows, count + 1 of them with the end.
 * Everything is copied but what data points at. Edges may stand there twice and in any order.
 * Errors: null, with a warning that says why, where an array or a task's run is null, a successor is no task
 * of the graph, first_successor does not begin with 0 or descends, tasks wait for themselves in a cycle, or
 * there are more than 16 million tasks or 4 billion edges. No tasks make a graph, too, and need no arrays. */
HEDDLE_API heddle_graph_t heddle_make_graph(size_t count, const heddle_graph_task_t* tasks,
                                            const size_t* first_successor, const size_t* successors);

/* Executes the tasks, as children of the calling one and by the threads of its team, and returns when they
 * and their descendants are complete. As often as you like: memory is taken by the first execution, and by
 * one that meets another of the same graph. In a final task, and while OMP_CANCELLATION is on, the calling
 * thread executes them one after the other. Null has no tasks. Threads: any, several at once. */
HEDDLE_API void heddle_execute_graph(heddle_graph_t graph);

/* Requires: no execution of it is going on. Null is ignored. */
HEDDLE_API void heddle_free_graph(heddle_graph_t graph);

#ifdef __cplusplus
#  define HEDDLE_TASKGRAPH_CLAUSES_(...) \
    heddle_taskgraph_clauses_t {         \
      __VA_ARGS__                        \
    }
#else
#  define HEDDLE_TASKGRAPH_CLAUSES_(...) (__extension__(heddle_taskgraph_clauses_t){__VA_ARGS__})
#endif

/* The same number, about which a compiler knows nothing. It must not know whether the region has been
 * executed when it is entered: a replay writes local variables whose addresses only the region's code has
 * taken. */
static inline int heddle_taskgraph_unknown_(int number) {
  __asm__ volatile("" : "+r"(number));
  return number;
}

/* Begins a taskgraph region, whose block follows: HEDDLE_TASKGRAPH(.graph_id = 1) { ... }. Clauses are
 * members of heddle_taskgraph_clauses_t; there may be none. */
#define HEDDLE_TASKGRAPH(...)                                                                 \
  for (int heddle_is_in_ = 0;                                                                 \
       (heddle_is_in_ = heddle_taskgraph_unknown_(heddle_is_in_)) == 0                        \
           ? (heddle_is_in_ = heddle_taskgraph_enter_(__extension__({                         \
                                                        static heddle_taskgraph_t t_;         \
                                                        &t_;                                  \
                                                      }),                                     \
                                                      HEDDLE_TASKGRAPH_CLAUSES_(__VA_ARGS__), \
                                                      __builtin_frame_address(0))) != 0       \
           : (heddle_is_in_ = heddle_taskgraph_leave_(heddle_is_in_)) != 0;)

#ifdef __cplusplus
}
#endif

#endif
