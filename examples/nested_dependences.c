// A Cholesky factorisation in blocks of tiles. For each block a task creates the tasks of its tiles; all its
// dependences are weak, so that tasks of blocks create on all threads, far ahead of the data, and each tile
// begins when the tiles that it needs are done, whichever block's task has created them.
//
// Output: whether one creator of all tiles, and a creator for each block, have factorised the matrix as one
// thread does, to the bit; and with any argument, how long each took.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "heddle.h"

enum { kBlocks = 6, kInBlock = 6, kTile = 24, kTiles = kBlocks * kInBlock, kOfBlock = kInBlock * kInBlock };
typedef double tile[kTile][kTile];

static tile a[kTiles][kTiles], expected[kTiles][kTiles];

// a[i][i] becomes its own factor.
static void factorise(int i) {
  double(*t)[kTile] = a[i][i];
  for (int c = 0; c < kTile; c++) {
    for (int n = 0; n < c; n++)
      for (int r = c; r < kTile; r++) t[r][c] -= t[r][n] * t[c][n];
    const double root = sqrt(t[c][c]);
    for (int r = c; r < kTile; r++) t[r][c] /= root;
  }
}

// a[i][k] = a[i][k] / the factor of a[k][k], transposed
static void solve(int i, int k) {
  double(*t)[kTile] = a[i][k], (*factor)[kTile] = a[k][k];
  for (int r = 0; r < kTile; r++)
    for (int c = 0; c < kTile; c++) {
      for (int n = 0; n < c; n++) t[r][c] -= t[r][n] * factor[c][n];
      t[r][c] /= factor[c][c];
    }
}

// a[i][j] -= a[i][k] * a[j][k], transposed
static void update(int i, int j, int k) {
  for (int r = 0; r < kTile; r++)
    for (int c = 0; c < kTile; c++) {
      double sum = 0;
      for (int n = 0; n < kTile; n++) sum += a[i][k][r][n] * a[j][k][c][n];
      a[i][j][r][c] -= sum;
    }
}

static void step(int i, int j, int k) {
  if (k < j)
    update(i, j, k);
  else if (j < i)
    solve(i, k);
  else
    factorise(i);
}

static void create_tile(int i, int j, int k) {
#pragma omp task depend(in : a[i][k], a[j][k]) depend(inout : a[i][j])
  step(i, j, k);
}

// The tiles of a row of blocks, a column and a step; where these meet, as many as there are.
static void create_tiles(int rows, int columns, int steps, int size) {
  for (int k = steps; k < steps + size; k++)
    for (int j = columns > k ? columns : k; j < columns + size; j++)
      for (int i = rows > j ? rows : j; i < rows + size; i++) create_tile(i, j, k);
}

static void create_block(int rows, int columns, int steps) {
  if (heddle_is_here()) heddle_next_task_weak(NULL);
#pragma omp task depend(iterator(int t = 0 : kOfBlock), in : a[rows + t / kInBlock][steps + t % kInBlock], \
                            a[columns + t / kInBlock][steps + t % kInBlock])                               \
    depend(iterator(int t = 0 : kOfBlock), inout : a[rows + t / kInBlock][columns + t % kInBlock])
  {
    create_tiles(rows, columns, steps, kInBlock);
    heddle_end_transparent_task();
  }
}

static void fill(void) {
  for (int i = 0; i < kTiles; i++)
    for (int j = 0; j <= i; j++)
      for (int r = 0; r < kTile; r++)
        for (int c = 0; c < kTile; c++)
          a[i][j][r][c] = (i == j && r == c) ? kTiles * kTile : 1.0 / (1 + i - j + (r > c ? r - c : c - r));
}

int main(int argc, char** argv) {
  (void)argv;
  fill();
  for (int k = 0; k < kTiles; k++)
    for (int j = k; j < kTiles; j++)
      for (int i = j; i < kTiles; i++) step(i, j, k);
  memcpy(expected, a, sizeof a);
  int same = 1;
  for (int nested = 0; nested < 2; nested++) {
    fill();
    const double start = omp_get_wtime();
#pragma omp parallel
#pragma omp single
    {
      if (!nested) create_tiles(0, 0, 0, kTiles);
      for (int k = 0; nested && k < kTiles; k += kInBlock)
        for (int j = k; j < kTiles; j += kInBlock)
          for (int i = j; i < kTiles; i += kInBlock) create_block(i, j, k);
    }
    if (argc > 1)
      printf("%s %.4f s\n", nested ? "a creator a block" : "one creator", omp_get_wtime() - start);
    same = same && memcmp(expected, a, sizeof a) == 0;
  }
  printf("%s\n", same ? "same" : "other values than one thread's");
  return !same;
}
