// Forward substitution, L x = b, with a sparse lower triangular matrix again and again: who waits for whom is
// in the matrix, so its graph is made from the matrix and not by creating tasks. Link with -lm.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "heddle.h"

enum { kRows = 4000, kMostEntries = 5, kBlock = 8, kBlocks = kRows / kBlock, kSolves = 25 };

// Rows as lists of columns below the diagonal, which is 1.
static int columns[kRows][kMostEntries];
static double entries[kRows][kMostEntries];
static int count_of[kRows];
static double b[kRows], x[kRows], expected[kRows];

static void make_matrix(void) {
  unsigned state = 12345;
  for (int i = 0; i < kRows; i++) {
    for (int e = 0; e < kMostEntries && i > 0; e++) {
      state = state * 1664525u + 1013904223u;
      columns[i][e] = (int)(state >> 8) % i;
      entries[i][e] = 0.1 * (e + 1);
      count_of[i]++;
    }
  }
}

static void solve_row(const double* right, double* solution, int i) {
  double sum = right[i];
  for (int e = 0; e < count_of[i]; e++) sum -= entries[i][e] * solution[columns[i][e]];
  solution[i] = sum;
}

// A task solves a block of rows. data: its first row's number in `numbers`.
static int numbers[kBlocks];

static void solve_block(void* data) {
  const int first = *(const int*)data * kBlock;
  for (int i = first; i < first + kBlock; i++) solve_row(b, x, i);
}

// Block i comes before block j if a row of j has an entry in a column of i.
static heddle_graph_t make_graph(void) {
  static char is_before[kBlocks][kBlocks];
  size_t edges = 0;
  for (int i = 0; i < kRows; i++) {
    for (int e = 0; e < count_of[i]; e++) {
      char* edge = &is_before[columns[i][e] / kBlock][i / kBlock];
      edges += columns[i][e] / kBlock != i / kBlock && !*edge;
      *edge = 1;
    }
  }
  static heddle_graph_task_t tasks[kBlocks];
  static size_t first_successor[kBlocks + 1];
  size_t* successors = malloc(edges * sizeof *successors);
  size_t next = 0;
  for (int i = 0; i < kBlocks; i++) {
    numbers[i] = i;
    tasks[i] = (heddle_graph_task_t){.run = solve_block, .data = &numbers[i]};
    for (int j = i + 1; j < kBlocks; j++)
      if (is_before[i][j]) successors[next++] = (size_t)j;
    first_successor[i + 1] = next;
  }
  const heddle_graph_t graph = heddle_make_graph(kBlocks, tasks, first_successor, successors);
  free(successors);
  return graph;
}

int main(void) {
  if (!heddle_is_here()) {
    fputs("triangular_solve: this needs libheddle; start it by 'heddle run'\n", stderr);
    return 2;
  }
  make_matrix();
  const heddle_graph_t graph = make_graph();
  if (graph == NULL) return 1;
  int right = 0;
#pragma omp parallel
#pragma omp single
  for (int solve = 0; solve < kSolves; solve++) {
    for (int i = 0; i < kRows; i++) b[i] = sin(solve + i);
    heddle_execute_graph(graph);
    for (int i = 0; i < kRows; i++) solve_row(b, expected, i);
    int is_right = 1;
    for (int i = 0; i < kRows; i++) is_right = is_right && x[i] == expected[i];
    right += is_right;
  }
  heddle_free_graph(graph);
  printf("%d of %d systems of %d rows solved as one row after the other would\n", right, kSolves, kRows);
  return right == kSolves ? 0 : 1;
}
