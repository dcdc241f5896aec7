// A taskwait directive with a detach clause suspends the task until an event is fulfilled, as proposed by
// Pereira et al., "Suspending OpenMP Tasks on Asynchronous Events", IWOMP 2023; alone, with depend, and with
// nowait. No compiler knows it; 'heddle cc -- gcc -fopenmp taskwait_detach.c' does. On other runtimes the
// program says that it cannot wait.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "heddle.h"

enum { kBlocks = 8, kBlock = 1000 };

// A block that a disk or a network delivers: another thread, which is none of OpenMP's.
typedef struct Block {
  int number;
  int cells[kBlock];
  omp_event_handle_t arrived;
  pthread_t courier;
} Block;

static void* deliver(void* argument) {
  Block* block = argument;
  const struct timespec delay = {0, 1000000};
  nanosleep(&delay, NULL);
  for (int i = 0; i < kBlock; i++) block->cells[i] = block->number;
  omp_fulfill_event(block->arrived);
  return NULL;
}

// The event is one of the task that calls this; any task may wait for it.
static void request(Block* block, int number) {
  block->number = number;
  block->arrived = omp_task_continuation_event();
  pthread_create(&block->courier, NULL, deliver, block);
}

static long sum(const Block* block) {
  long total = 0;
  for (int i = 0; i < kBlock; i++) total += block->cells[i];
  return total;
}

// Each task waits for its own block. One thread is enough for all of them, and none is blocked.
static long alone(Block* blocks) {
  long total = 0;
#pragma omp taskgroup
  for (int b = 0; b < kBlocks; b++) {
#pragma omp task shared(total)
    {
      request(&blocks[b], b);
#pragma omp taskwait detach(blocks[b].arrived)
      const long part = sum(&blocks[b]);
#pragma omp atomic
      total += part;
    }
  }
  return total;
}

// Waits for a block and for a task that makes what it is multiplied with.
static long with_dependences(Block* block) {
  long factor = 0;
  request(block, 3);
#pragma omp task shared(factor) depend(out : factor)
  factor = 7;
#pragma omp taskwait depend(in : factor) detach(block -> arrived)
  return factor * sum(block);
}

// Waits for nothing: only what depends on the block does. The event's value is taken where the directive
// stands.
static long without_waiting(Block* blocks) {
  long total = 0;
  for (int b = 0; b < kBlocks; b++) {
    request(&blocks[b], b);
#pragma omp taskwait depend(out : blocks[b].cells) detach(blocks[b].arrived) nowait
#pragma omp task depend(in : blocks[b].cells) depend(inout : total) shared(total)
    total = 2 * total + sum(&blocks[b]);
  }
#pragma omp taskwait
  return total;
}

static void join(Block* blocks, int count) {
  for (int b = 0; b < count; b++) pthread_join(blocks[b].courier, NULL);
}

int main(void) {
  static Block blocks[kBlocks];
  if (omp_task_continuation_event == NULL) {
    printf("this OpenMP runtime cannot suspend tasks\n");
    return 1;
  }
#pragma omp parallel
#pragma omp single
  {
    printf("alone: %ld\n", alone(blocks));
    join(blocks, kBlocks);
    printf("with dependences: %ld\n", with_dependences(blocks));
    join(blocks, 1);
    printf("without waiting: %ld\n", without_waiting(blocks));
    join(blocks, kBlocks);
  }
  return 0;
}
