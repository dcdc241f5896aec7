#include "suspension/requests.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "heddle.h"

enum { kIntervalUs = 5 };

// Open requests with the events that wait for them: two arrays, as MPI_Testsome() wants one of the requests.
typedef struct Open {
  MPI_Request* requests;
  omp_event_handle_t* events;
  int count;
  int capacity;
} Open;

// Tasks add to this one, under the lock.
static pthread_mutex_t g_lock = PTHREAD_MUTEX_INITIALIZER;
static Open g_added;

// The poller's own; nobody polls while it is polled.
static Open g_open;
static int* g_complete;  // indices, room for all open ones

static heddle_poller_t g_poller;
static pthread_t g_thread;  // where the runtime has no pollers
static atomic_int g_is_over;

static void* larger(void* array, int count, size_t size) {
  void* made = realloc(array, (size_t)count * size);
  if (made == NULL) {
    fprintf(stderr, "there is no memory for %d requests\n", count);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return made;
}

static void add(Open* open, MPI_Request request, omp_event_handle_t event) {
  if (open->count == open->capacity) {
    open->capacity = open->capacity > 0 ? 2 * open->capacity : 64;
    open->requests = larger(open->requests, open->capacity, sizeof *open->requests);
    open->events = larger(open->events, open->capacity, sizeof *open->events);
  }
  open->requests[open->count] = request;
  open->events[open->count++] = event;
}

static void take_added(void) {
  const int capacity = g_open.capacity;
  pthread_mutex_lock(&g_lock);
  for (int i = 0; i < g_added.count; i++) add(&g_open, g_added.requests[i], g_added.events[i]);
  g_added.count = 0;
  pthread_mutex_unlock(&g_lock);
  if (g_open.capacity > capacity) g_complete = larger(g_complete, g_open.capacity, sizeof *g_complete);
}

static void test_requests(void* unused) {
  (void)unused;
  take_added();
  if (g_open.count == 0) return;
  int count = 0;
  MPI_Testsome(g_open.count, g_open.requests, &count, g_complete, MPI_STATUSES_IGNORE);
  if (count == 0) return;
  for (int i = 0; i < count; i++) omp_fulfill_event(g_open.events[g_complete[i]]);
  // MPI has made null requests of those.
  int kept = 0;
  for (int i = 0; i < g_open.count; i++) {
    if (g_open.requests[i] == MPI_REQUEST_NULL) continue;
    g_open.requests[kept] = g_open.requests[i];
    g_open.events[kept++] = g_open.events[i];
  }
  g_open.count = kept;
}

static void* poll_until_over(void* unused) {
  const struct timespec interval = {0, 1000 * kIntervalUs};
  while (!atomic_load(&g_is_over)) {
    test_requests(unused);
    nanosleep(&interval, NULL);
  }
  return NULL;
}

void start_polling(void) {
  if (heddle_register_poller != NULL) {
    g_poller = heddle_register_poller(test_requests, NULL, kIntervalUs);
    if (g_poller != NULL) return;
  }
  atomic_store(&g_is_over, 0);
  if (pthread_create(&g_thread, NULL, poll_until_over, NULL) != 0) {
    fprintf(stderr, "no thread can be started that polls\n");
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

void stop_polling(void) {
  if (g_poller != NULL) {
    heddle_unregister_poller(g_poller);
    g_poller = NULL;
  } else {
    atomic_store(&g_is_over, 1);
    pthread_join(g_thread, NULL);
  }
}

void fulfil_when_complete(MPI_Request request, omp_event_handle_t event) {
  pthread_mutex_lock(&g_lock);
  add(&g_added, request, event);
  pthread_mutex_unlock(&g_lock);
}

void wait_for_request(MPI_Request request) {
  int is_complete = 0;
  MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
  if (is_complete) return;
  const omp_event_handle_t event = omp_task_continuation_event();
  fulfil_when_complete(request, event);
  omp_taskwait_detach(event);
}
