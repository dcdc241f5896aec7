// A thread that OpenMP does not know, and that fulfils the events it is handed: at once, or later and in
// another order.
#ifndef HEDDLE_TESTS_RUNTIME_EXTENSIONS_OUTSIDER_H_
#define HEDDLE_TESTS_RUNTIME_EXTENSIONS_OUTSIDER_H_

#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"
#include "heddle.h"

enum { kMostHanded = 4096 };

typedef struct {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  omp_event_handle_t handed[kMostHanded];
  int count;
  int delay_us;  // before it takes what is there
  bool is_over;
} outsider;

static inline void* fulfill_what_is_handed(void* argument) {
  outsider* const self = (outsider*)argument;
  unsigned random = 12345;
  pthread_mutex_lock(&self->lock);
  for (;;) {
    while (self->count == 0 && !self->is_over) pthread_cond_wait(&self->changed, &self->lock);
    if (self->count == 0) break;
    if (self->delay_us != 0) {
      pthread_mutex_unlock(&self->lock);
      usleep((useconds_t)self->delay_us);
      pthread_mutex_lock(&self->lock);
    }
    random = random * 1103515245u + 12345u;
    const int chosen = (int)((random >> 8) % (unsigned)self->count);
    const omp_event_handle_t event = self->handed[chosen];
    self->handed[chosen] = self->handed[--self->count];
    pthread_mutex_unlock(&self->lock);
    omp_fulfill_event(event);
    pthread_mutex_lock(&self->lock);
  }
  pthread_mutex_unlock(&self->lock);
  return NULL;
}

static inline void start_outsider(outsider* self, int delay_us) {
  self->count = 0;
  self->delay_us = delay_us;
  self->is_over = false;
  CHECK(pthread_mutex_init(&self->lock, NULL) == 0);
  CHECK(pthread_cond_init(&self->changed, NULL) == 0);
  CHECK(pthread_create(&self->thread, NULL, fulfill_what_is_handed, self) == 0);
}

static inline void hand_to(outsider* self, omp_event_handle_t event) {
  pthread_mutex_lock(&self->lock);
  CHECK(self->count < kMostHanded);
  self->handed[self->count++] = event;
  pthread_cond_signal(&self->changed);
  pthread_mutex_unlock(&self->lock);
}

/// The current task is suspended until the thread has fulfilled an event of its own.
static inline void wait_for_outsider(outsider* self) {
  const omp_event_handle_t event = omp_task_continuation_event();
  hand_to(self, event);
  omp_taskwait_detach(event);
}

/// Returns when all that was handed is fulfilled.
static inline void end_outsider(outsider* self) {
  pthread_mutex_lock(&self->lock);
  self->is_over = true;
  pthread_cond_signal(&self->changed);
  pthread_mutex_unlock(&self->lock);
  CHECK(pthread_join(self->thread, NULL) == 0);
  pthread_mutex_destroy(&self->lock);
  pthread_cond_destroy(&self->changed);
}

#endif
