// Tasks of mixed lengths: short ones with long ones among them or behind them, so that whoever decides by
// what bodies took so far is wrong for a while. --grain is the length of the long ones.
#include <stdatomic.h>

#include "tasks.h"

static void spawn(long i, long iterations) {
#pragma omp task firstprivate(i, iterations)
  {
    compute(iterations);
    slots[i] += 1;
  }
}

// The last --width tasks are long.
static void create_late(void) {
  for (long i = 0; i < work.tasks; ++i) spawn(i, i < work.tasks - work.width ? 0 : work.grain);
}

// The same; then the creator has as much to do as all of them.
static void create_busy(void) {
  create_late();
  compute(work.width * work.grain);
}

// Of --width tasks the last is long.
static void create_rare(void) {
  for (long i = 0; i < work.tasks; ++i) spawn(i, i % work.width == work.width - 1 ? work.grain : 0);
}

// From a ten thousandth of the longest to the longest, by the same factor from task to task, and back.
static void create_growing(void) {
  enum { kStepsADecade = 16, kDecades = 4 };
  static const double kFactor = 1.1547819846894583;  // 10^(1/16)
  const long rising = kStepsADecade * kDecades;
  double length = (double)work.grain / 10000;
  for (long i = 0; i < work.tasks; ++i) {
    spawn(i, (long)length);
    length = i / rising % 2 == 0 ? length * kFactor : length / kFactor;
  }
}

// Two tasks create the others, long and short in turn.
static void create_producers(void) {
  const long half = work.tasks / 2;
  for (int producer = 0; producer < 2; ++producer) {
#pragma omp task firstprivate(producer)
    {
      for (long i = producer * half; i < (producer == 0 ? half : work.tasks); ++i)
        spawn(i, i % 2 == 0 ? work.grain : work.grain / 100);
#pragma omp taskwait
    }
  }
}

// An unbalanced tree, as in UTS (Olivier et al., LCPC'06): the numbers of a node's children are drawn, and
// their mean falls with depth. Which nodes there are follows from the seed alone.
enum { kDeepest = 24, kMostChildren = 6, kOfTheRoot = 64 };
static long nodes;
static atomic_long visited;

static int children_of(uint32_t state, int depth) {
  if (depth == 0) return kOfTheRoot;
  if (depth >= kDeepest) return 0;
  uint32_t drawing = state;
  // A mean of less than one child would end the tree; some branches go on for long, most end soon.
  const uint32_t wish = drawn(&drawing) % 100;
  return wish < 62 ? 0 : wish < 80 ? 2 : wish < 95 ? 3 : kMostChildren;
}

static uint32_t child_of(uint32_t state, int child) {
  return mixed(state + 1, (uint32_t)child * 2654435761u + 12345u);
}

static long count_nodes(uint32_t state, int depth) {
  const int children = children_of(state, depth);
  long count = 1;
  for (int c = 0; c < children; ++c) count += count_nodes(child_of(state, c), depth + 1);
  return count;
}

static void visit(uint32_t state, int depth) {
  compute(work.grain);
  atomic_fetch_add_explicit(&visited, 1, memory_order_relaxed);
  const int children = children_of(state, depth);
  for (int c = 0; c < children; ++c) {
#pragma omp task firstprivate(c, state, depth)
    visit(child_of(state, c), depth + 1);
  }
#pragma omp taskwait
}

static void prepare_uts(void) {
  nodes = count_nodes(work.seed, 0);
  work.tasks = nodes;
}

static void reset_uts(void) {
  atomic_store(&visited, 0);
}

static void create_uts(void) {
  visit(work.seed, 0);
}

static bool verify_uts(void) {
  return atomic_load(&visited) == nodes;
}

static void finish_nothing(void) {}

const Kernel kMixedKernels[] = {
    {"mixed-late", "empty tasks, then --width long ones", 1000, 4, 0, 5e6, prepare_slots, reset_slots,
     create_late, every_slot_is_one, finish_slots, kTimes, false},
    {"mixed-busy", "the same; the creator has as much to do as the long ones", 1000, 5, 0, 2e6, prepare_slots,
     reset_slots, create_busy, every_slot_is_one, finish_slots, kTimes, true},
    {"mixed-rare", "of --width tasks one is long, the others empty", 400, 100, 0, 5e6, prepare_slots,
     reset_slots, create_rare, every_slot_is_one, finish_slots, kTimes, false},
    {"mixed-growing", "lengths over four decades, up and down", 512, 1, 0, 1e6, prepare_slots, reset_slots,
     create_growing, every_slot_is_one, finish_slots, kTimes, false},
    {"mixed-producers", "two tasks create the others, long and short in turn", 2000, 1, 0, 50e3,
     prepare_slots, reset_slots, create_producers, every_slot_is_one, finish_slots, kTimes, false},
    {"mixed-uts", "an unbalanced tree that the seed determines", 0, 1, 0, 1000, prepare_uts, reset_uts,
     create_uts, verify_uts, finish_nothing, kTimes, true},
    {0}};
