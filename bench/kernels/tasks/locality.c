// A kernel about where tasks run: sweeps over blocks of data that one processor's cache holds a part of.
//
// Words: a task *moves* when another thread wrote its block last, so that it fetches the block from there.
#include <omp.h>
#include <stdlib.h>

#include "tasks.h"

// 24 of these are more than a processor's own cache of a MiB holds, and half of them less.
enum { kWords = 16384 };

typedef struct {
  _Alignas(kCacheLine) uint32_t words[kWords];
} Block;

static Block* blocks;
static uint32_t* expected;  // a sum for each block
static int* last_writer;    // of a block: a thread's number; -1 before the first
static long* order;         // of the blocks in one round
static long moves;

static void relax(Block* block) {
  for (long i = 0; i < kWords; ++i) block->words[i] = mixed(block->words[i], (uint32_t)i);
}

static uint32_t sum(const Block* block) {
  uint32_t result = 0;
  for (long i = 0; i < kWords; ++i) result = result * 31 + block->words[i];
  return result;
}

static void run_block(long b) {
  relax(&blocks[b]);
  const int me = omp_get_thread_num();
  if (last_writer[b] != me && last_writer[b] >= 0) {
#pragma omp atomic
    ++moves;
  }
  last_writer[b] = me;
}

static void reset_sweeps(void) {
  for (long b = 0; b < work.width; ++b) {
    for (long i = 0; i < kWords; ++i) blocks[b].words[i] = (uint32_t)b;
    last_writer[b] = -1;
  }
  moves = 0;
}

static void prepare_sweeps(void) {
  work.tasks = (work.tasks + work.width - 1) / work.width * work.width;
  blocks = allocated(work.width, sizeof *blocks);
  expected = allocated(work.width, sizeof *expected);
  last_writer = allocated(work.width, sizeof *last_writer);
  order = allocated(work.width, sizeof *order);
  reset_sweeps();
  for (long b = 0; b < work.width; ++b) {
    for (long sweep = 0; sweep < work.tasks / work.width; ++sweep) relax(&blocks[b]);
    expected[b] = sum(&blocks[b]);
  }
}

// Another order each time: programs whose meshes change do not keep theirs either.
static void shuffle(uint32_t* state) {
  for (long i = work.width - 1; i > 0; --i) {
    const long other = drawn(state) % (uint32_t)(i + 1);
    const long b = order[i];
    order[i] = order[other];
    order[other] = b;
  }
}

static void create_sweeps(void) {
  uint32_t state = work.seed;
  for (long b = 0; b < work.width; ++b) order[b] = b;
  for (long sweep = 0; sweep < work.tasks / work.width; ++sweep) {
    shuffle(&state);
    for (long i = 0; i < work.width; ++i) {
      const long b = order[i];
      Block* block = &blocks[b];
#pragma omp task firstprivate(b, block) depend(inout : block -> words[0])
      run_block(b);
    }
#pragma omp taskwait
  }
}

static bool verify_sweeps(void) {
  note_moves(100.0 * (double)moves / (double)work.tasks);
  for (long b = 0; b < work.width; ++b) {
    if (sum(&blocks[b]) != expected[b]) return false;
  }
  return true;
}

static void finish_sweeps(void) {
  free(blocks);
  free(expected);
  free(last_writer);
  free(order);
  blocks = NULL;
  expected = NULL;
  last_writer = NULL;
  order = NULL;
}

const Kernel kLocalityKernels[] = {
    {.name = "sweeps",
     .meaning = "rounds of inout on each of --width blocks of 64 KiB, in changing order, with taskwait",
     .tasks = 2400,
     .width = 24,
     .prepare = prepare_sweeps,
     .reset = reset_sweeps,
     .create = create_sweeps,
     .verify = verify_sweeps,
     .finish = finish_sweeps},
    {0}};
