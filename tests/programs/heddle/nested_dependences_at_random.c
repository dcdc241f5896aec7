// Random trees of tasks whose dependences are nested: transparent ones, weak and not, in between. Each value
// that a task reads or writes must be that of the tree's execution in order.
//
//     program_nested_dependences_at_random [SEED [TREES]]
#include <omp.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "heddle.h"

enum { kCells = 12, kMostNodes = 400, kMostChildren = 9, kLevels = 4, kTrees = 60 };

enum kind {
  kLeaf,         // reads and writes its cells
  kOrdinary,     // ends with a taskwait
  kWeak,         // transparent, some or all of its cells weak
  kTransparent,  // whatever its children name
};

struct node {
  enum kind kind;
  int id, children[kMostChildren], count;
  int reads, writes;       // numbers of them
  uint64_t* read[kCells];  // that its clauses name
  uint64_t* written[kCells];
  unsigned strong_reads, strong_writes;  // which cells its own code touches, as bits
  int is_all_weak, is_undeferred, waits, spins;
};

static uint64_t state;
static uint32_t draw(uint32_t below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % below);
}

static struct node nodes[kMostNodes];
static int node_count;
static uint64_t cells[kCells], expected_cells[kCells];
static uint64_t seen[kMostNodes], expected_seen[kMostNodes];

static unsigned subset(unsigned of) {
  unsigned result = 0;
  for (int c = 0; c < kCells; c++)
    if ((of >> c & 1) != 0 && draw(3) == 0) result |= 1u << c;
  return result;
}

// may_read includes what may be written.
static int make(int level, unsigned may_read, unsigned may_write) {
  const int id = node_count++;
  struct node* const node = &nodes[id];
  memset(node, 0, sizeof *node);
  node->id = id;
  node->kind = level == kLevels ? kLeaf : (enum kind)draw(4);
  const unsigned writes = subset(may_write), reads = subset(may_read) & ~writes;
  for (int c = 0; c < kCells; c++) {
    if ((reads >> c & 1) != 0) node->read[node->reads++] = &cells[c];
    if ((writes >> c & 1) != 0) node->written[node->writes++] = &cells[c];
  }
  node->strong_reads = reads, node->strong_writes = writes;
  node->is_undeferred = draw(10) == 0;
  node->spins = (int)draw(200);
  if (node->kind == kLeaf) return id;
  node->waits = node->kind == kOrdinary || draw(5) == 0;
  if (node->kind == kWeak) {
    node->is_all_weak = draw(2) == 0;
    node->strong_reads = node->is_all_weak ? 0 : subset(reads);
    node->strong_writes = node->is_all_weak ? 0 : subset(writes);
  }
  const int wanted = (int)draw(kMostChildren + 1);
  for (int i = 0; i < wanted && node_count < kMostNodes - 1; i++) {
    const int child = node->kind == kTransparent ? make(level + 1, may_read, may_write)
                                                 : make(level + 1, reads | writes, writes);
    node->children[node->count++] = child;
  }
  return id;
}

static void touch(const struct node* node, uint64_t salt) {
  uint64_t sum = seen[node->id] * 31 + salt;
  for (int c = 0; c < kCells; c++)
    if (((node->strong_reads | node->strong_writes) >> c & 1) != 0) sum = sum * 1099511628211u ^ cells[c];
  for (volatile int i = 0; i < node->spins; i++) continue;
  seen[node->id] = sum;
  for (int c = 0; c < kCells; c++)
    if ((node->strong_writes >> c & 1) != 0) cells[c] = cells[c] * 33 + sum + (uint64_t)node->id;
}

static void run_in_order(const struct node* node) {
  touch(node, 1);
  for (int i = 0; i < node->count; i++) run_in_order(&nodes[node->children[i]]);
  if (node->waits) touch(node, 2);
}

static void create(struct node* node);

static void run(struct node* node) {
  touch(node, 1);
  for (int i = 0; i < node->count; i++) create(&nodes[node->children[i]]);
  if (node->waits) {
#pragma omp taskwait
    touch(node, 2);
  }
  if (node->kind == kWeak || node->kind == kTransparent) heddle_end_transparent_task();
}

static void create(struct node* node) {
  uint64_t** const read = node->read;
  uint64_t** const written = node->written;
  const int reads = node->reads, writes = node->writes;
  (void)read, (void)written, (void)reads, (void)writes;  // GCC 12 does not count a depend clause as a use
  if (heddle_is_here() && node->kind == kTransparent) heddle_next_task_transparent();
  if (heddle_is_here() && node->kind == kWeak) {
    if (node->is_all_weak) heddle_next_task_weak(NULL);
    for (int c = 0; c < kCells && !node->is_all_weak; c++)
      if (((node->strong_reads | node->strong_writes) >> c & 1) == 0) heddle_next_task_weak(&cells[c]);
  }
#pragma omp task firstprivate(node) if (!node -> is_undeferred) \
    depend(iterator(int i = 0 : reads), in : *read[i])          \
    depend(iterator(int i = 0 : writes), inout : *written[i])
  run(node);
}

int main(int argc, char** argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : (uint64_t)time(NULL);
  const int trees = argc > 2 ? atoi(argv[2]) : kTrees;
  printf("seed %llu\n", (unsigned long long)seed);
  fflush(stdout);
  state = seed;
  for (int tree = 0; tree < trees; tree++) {
    const unsigned all = (1u << kCells) - 1;
    enum { kMostRoots = 40 };
    int roots[kMostRoots], count = 0;
    node_count = 0;
    while (count < kMostRoots && node_count < kMostNodes - 1) roots[count++] = make(0, all, all);
    memset(cells, 0, sizeof cells);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < count; i++) run_in_order(&nodes[roots[i]]);
    memcpy(expected_cells, cells, sizeof cells);
    memcpy(expected_seen, seen, sizeof seen);
    for (int repetition = 0; repetition < 3; repetition++) {
      memset(cells, 0, sizeof cells);
      memset(seen, 0, sizeof seen);
#pragma omp parallel
#pragma omp single
      for (int i = 0; i < count; i++) create(&nodes[roots[i]]);
      for (int i = 0; i < node_count; i++) {
        if (seen[i] == expected_seen[i]) continue;
        printf("tree %d: task %d saw other values than in order\n", tree, i);
        return 1;
      }
      CHECK(memcmp(cells, expected_cells, sizeof cells) == 0);
    }
  }
  return 0;
}
