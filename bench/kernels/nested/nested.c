// Tasks that create tasks and wait for them, for bench/studies/nested_tasks.py, which executes them on
// simulated processors.
//
//   nested PROGRAM     prints how long its third execution takes, in ns: the first two are for memory
//   nested --list      says which programs there are
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

const char program_name[] = "nested";

// The numbers of Fibonacci, with a task for each call: 8,361 of them; those that end the recursion take 50
// ns.
static long fib_of(int n) {
  if (n < 2) {
    compute(50);
    return n;
  }
  long a, b;
#pragma omp task shared(a)
  a = fib_of(n - 1);
#pragma omp task shared(b)
  b = fib_of(n - 2);
#pragma omp taskwait
  return a + b;
}

static long fib(void) {
  return fib_of(18);
}

// The ways to place queens, a task of 100 ns for each queen that has a place: 2,057 of them.
enum { kQueens = 8 };

static long queens_from(int row, unsigned columns, unsigned falling, unsigned rising) {
  if (row == kQueens) return 1;
  compute(100);
  long found[kQueens] = {0};
  for (int column = 0; column < kQueens; ++column) {
    const unsigned here = 1u << column, falls = 1u << (row - column + kQueens), rises = 1u << (row + column);
    if ((columns & here) != 0 || (falling & falls) != 0 || (rising & rises) != 0) continue;
#pragma omp task shared(found)
    found[column] = queens_from(row + 1, columns | here, falling | falls, rising | rises);
  }
#pragma omp taskwait
  long sum = 0;
  for (int column = 0; column < kQueens; ++column) sum += found[column];
  return sum;
}

static long queens(void) {
  return queens_from(0, 0, 0, 0);
}

// An unbalanced tree: a node of the 64 that hang on the root has two children with a probability of 0.48,
// each of those again. 2,239 nodes. Source: Olivier et al., "UTS: an unbalanced tree search benchmark", LCPC
// 2006, binomial trees.
enum { kAtRoot = 64, kInHundred = 48 };

static uint64_t hashed(uint64_t x) {
  x ^= x >> 31;
  x *= UINT64_C(0x7fb5d329728ea185);
  x ^= x >> 27;
  x *= UINT64_C(0x81dadef4bc2dd44d);
  return x ^ (x >> 33);
}

static long tree_from(uint64_t seed, int depth, long ns) {
  compute(ns);
  const int children = depth == 0 ? kAtRoot : hashed(seed) % 100 < kInHundred ? 2 : 0;
  long below[kAtRoot];
  for (int i = 0; i < children; ++i)
#pragma omp task shared(below)
    below[i] = tree_from(hashed(seed * 64 + (uint64_t)i + 1), depth + 1, ns);
#pragma omp taskwait
  long nodes = 1;
  for (int i = 0; i < children; ++i) nodes += below[i];
  return nodes;
}

static long tree(void) {
  return tree_from(43, 0, 500);
}

static long tree_of_long_nodes(void) {
  return tree_from(43, 0, 50000);
}

// Eight such trees, each in a group of its own, for which a task waits; their nodes take 5 us and do not wait
// for their children.
enum { kGroups = 8, kTreesInGroup = 16 };
static long nodes_seen;

static void grow(uint64_t seed) {
  compute(5000);
#pragma omp atomic
  ++nodes_seen;
  const int children = hashed(seed) % 100 < kInHundred ? 2 : 0;
  for (int i = 0; i < children; ++i)
#pragma omp task
    grow(hashed(seed * 64 + (uint64_t)i + 1));
}

static long groups(void) {
  nodes_seen = 0;
  for (int group = 0; group < kGroups; ++group)
#pragma omp task
#pragma omp taskgroup
    for (int tree = 0; tree < kTreesInGroup; ++tree)
#pragma omp task
      grow(hashed((uint64_t)(group * kTreesInGroup + tree)));
#pragma omp taskwait
  return nodes_seen;
}

// Four sweeps over 256 patches of 16 blocks, 1 us a block. Each patch has a task that creates those of its
// blocks, or one thread creates those of all.
enum { kPatches = 256, kBlocks = 16, kSweeps = 4 };

static long creators(void) {
  static long done[kPatches][kBlocks];
  memset(done, 0, sizeof done);
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int patch = 0; patch < kPatches; ++patch) {
#pragma omp task depend(inout : done[patch])
      {
        for (int block = 0; block < kBlocks; ++block)
#pragma omp task
        {
          compute(1000);
          ++done[patch][block];
        }
#pragma omp taskwait
      }
    }
#pragma omp taskwait
  long sum = 0;
  for (int patch = 0; patch < kPatches; ++patch)
    for (int block = 0; block < kBlocks; ++block) sum += done[patch][block];
  return sum;
}

static long one_creator(void) {
  static long done[kPatches][kBlocks];
  memset(done, 0, sizeof done);
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int patch = 0; patch < kPatches; ++patch)
      for (int block = 0; block < kBlocks; ++block)
#pragma omp task depend(inout : done[patch][block])
      {
        compute(1000);
        ++done[patch][block];
      }
#pragma omp taskwait
  long sum = 0;
  for (int patch = 0; patch < kPatches; ++patch)
    for (int block = 0; block < kBlocks; ++block) sum += done[patch][block];
  return sum;
}

static const struct {
  const char* name;
  long (*execute)(void);
  long expected;
} kPrograms[] = {
    {"fib", fib, 2584},
    {"queens", queens, 92},
    {"tree", tree, 2239},
    {"long-tree", tree_of_long_nodes, 2239},
    {"groups", groups, 3348},
    {"creators", creators, (long)kPatches* kBlocks* kSweeps},
    {"one-creator", one_creator, (long)kPatches* kBlocks* kSweeps},
};

int main(int argc, char** argv) {
  const size_t programs = sizeof kPrograms / sizeof *kPrograms;
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    for (size_t i = 0; i < programs; ++i) puts(kPrograms[i].name);
    return 0;
  }
  for (size_t i = 0; i < programs && argc == 2; ++i) {
    if (strcmp(argv[1], kPrograms[i].name) != 0) continue;
    double ns = 0;
    for (int time = 0; time < 3; ++time) {
      long found = 0;
      const double from = omp_get_wtime();
#pragma omp parallel
#pragma omp single
      found = kPrograms[i].execute();
      ns = (omp_get_wtime() - from) * 1e9;
      if (found != kPrograms[i].expected)
        refuse("%s gives %ld, and should give %ld", argv[1], found, kPrograms[i].expected);
    }
    printf("%.0f\n", ns);
    return 0;
  }
  refuse("give a program of --list");
}
