// Histograms of oriented gradients (Dalal and Triggs, CVPR 2005) of a grey picture, --size pixels wide and
// 9/16 of that high: the gradient of each pixel, a histogram of its directions for each cell of 8 x 8
// pixels, and these normalised for each block of 2 x 2 cells. Each of the three is a task a tile; --grain
// tiles share a side.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

enum { kCell = 8, kBins = 9, kBlock = 4 * kBins };

typedef struct {
  float strength, direction;  // in bins, from 0 to below kBins
} Gradient;

static uint8_t* picture;  // and a pixel more on each side, like the next one
static Gradient* gradients;
static float *histograms, *blocks, *expected;
static long columns, rows;       // of cells; there is one block less in each direction
static long* described;          // how often a tile's blocks were made
static char *derived, *counted;  // a tile's addresses in dependences; counted has a row and a column more

static long width(void) {
  return columns * kCell;
}

// The direction of (x, y) in bins, an opposite one being the same.
// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.47, for the arc tangent up to 1.
static float direction_of(float x, float y) {
  const float kQuarterTurn = (float)M_PI / 2;
  const float flat = fabsf(x), steep = fabsf(y);
  const float least = flat < steep ? flat : steep, most = flat < steep ? steep : flat;
  const float z = least / (most > 0 ? most : 1), zz = z * z;
  const float below_diagonal =
      z * (0.9998660F + zz * (-0.3302995F + zz * (0.1801410F + zz * (-0.0851330F + zz * 0.0208351F))));
  const float angle = flat < steep ? kQuarterTurn - below_diagonal : below_diagonal;
  const float direction = (x * y < 0 ? 2 * kQuarterTurn - angle : angle) * (kBins / (float)M_PI);
  return direction < kBins ? direction : 0;
}

static uint8_t* pixel_at(long i, long j) {
  return &picture[(i + 1) * (width() + 2) + j + 1];
}

static void derive_cells(long row, long row_end, long column, long column_end) {
  for (long i = row * kCell; i < row_end * kCell; ++i) {
    const uint8_t *self = pixel_at(i, column * kCell), *up = pixel_at(i - 1, column * kCell),
                  *down = pixel_at(i + 1, column * kCell);
    Gradient* const to = &gradients[i * width() + column * kCell];
    for (long j = 0; j < (column_end - column) * kCell; ++j) {
      const float x = (float)(self[j + 1] - self[j - 1]), y = (float)(down[j] - up[j]);
      to[j] = (Gradient){sqrtf(x * x + y * y), direction_of(x, y)};
    }
  }
}

static void count_cells(long row, long row_end, long column, long column_end) {
  for (long i = row; i < row_end; ++i) {
    for (long j = column; j < column_end; ++j) {
      float bins[kBins] = {0};
      for (long p = 0; p < kCell * kCell; ++p) {
        const Gradient g = gradients[(i * kCell + p / kCell) * width() + j * kCell + p % kCell];
        const int bin = (int)g.direction;
        const float part = g.direction - (float)bin;
        bins[bin] += g.strength * (1 - part);
        bins[(bin + 1) % kBins] += g.strength * part;
      }
      memcpy(&histograms[(i * columns + j) * kBins], bins, sizeof bins);
    }
  }
}

static void normalise_cells(long row, long row_end, long column, long column_end) {
  for (long i = row; i < row_end && i + 1 < rows; ++i) {
    for (long j = column; j < column_end && j + 1 < columns; ++j) {
      float* block = &blocks[(i * (columns - 1) + j) * kBlock];
      const size_t two_cells = 2 * kBins * sizeof *block;
      memcpy(block, &histograms[(i * columns + j) * kBins], two_cells);
      memcpy(block + 2 * kBins, &histograms[((i + 1) * columns + j) * kBins], two_cells);
      float squares = 1;
      for (int b = 0; b < kBlock; ++b) squares += block[b] * block[b];
      const float length = sqrtf(squares);
      for (int b = 0; b < kBlock; ++b) block[b] /= length;
    }
  }
}

typedef void Step(long row, long row_end, long column, long column_end);

static void run(Step* step, long i, long j) {
  step(first_of(i, work.grain, rows), first_of(i + 1, work.grain, rows), first_of(j, work.grain, columns),
       first_of(j + 1, work.grain, columns));
}

static void derive(long i, long j) {
  run(derive_cells, i, j);
}

static void count(long i, long j) {
  run(count_cells, i, j);
}

static void normalise(long i, long j) {
  run(normalise_cells, i, j);
  described[i * work.grain + j] += 1;
}

static size_t block_bytes(void) {
  return (size_t)((rows - 1) * (columns - 1) * kBlock) * sizeof *blocks;
}

static void restore_hog(void) {
  memset(blocks, 0, block_bytes());
}

static void reset_hog(void) {
  memset(described, 0, (size_t)(work.grain * work.grain) * sizeof *described);
}

// Rings, waves and noise.
static void paint(void) {
  uint32_t state = 1;
  for (long i = 0; i < rows * kCell; ++i) {
    for (long j = 0; j < width(); ++j) {
      const double ring = sin(hypot((double)i - 200, (double)j - 300) / 9),
                   wave = cos((double)(i + 2 * j) / 31);
      *pixel_at(i, j) = (uint8_t)(128 + 60 * ring + 40 * wave + 20 * drawn(&state));
    }
  }
  const long height = rows * kCell;
  for (long i = 0; i < height; ++i) {
    *pixel_at(i, -1) = *pixel_at(i, 0);
    *pixel_at(i, width()) = *pixel_at(i, width() - 1);
  }
  memcpy(pixel_at(-1, 0), pixel_at(0, 0), (size_t)width());
  memcpy(pixel_at(height, 0), pixel_at(height - 1, 0), (size_t)width());
}

static void prepare_hog(void) {
  columns = work.size / kCell;
  rows = work.size * 9 / 16 / kCell;
  if (rows < 2) refuse("--size %ld: hog needs 29 pixels at least", work.size);
  require_grain(rows);
  work.tasks = 3 * work.grain * work.grain;
  picture = allocated((rows * kCell + 2) * (width() + 2), sizeof *picture);
  gradients = allocated(rows * kCell * width(), sizeof *gradients);
  histograms = allocated(rows * columns * kBins, sizeof *histograms);
  blocks = allocated((rows - 1) * (columns - 1) * kBlock, sizeof *blocks);
  expected = allocated((rows - 1) * (columns - 1) * kBlock, sizeof *expected);
  described = allocated(work.grain * work.grain, sizeof *described);
  derived = allocated(work.grain * work.grain, sizeof *derived);
  counted = allocated((work.grain + 1) * (work.grain + 1), sizeof *counted);
  paint();
  derive_cells(0, rows, 0, columns);
  count_cells(0, rows, 0, columns);
  normalise_cells(0, rows, 0, columns);
  memcpy(expected, blocks, block_bytes());
}

static void create_hog(void) {
  for (long i = 0; i < work.grain; ++i) {
    for (long j = 0; j < work.grain; ++j) {
      char *gradient = &derived[i * work.grain + j], *histogram = &counted[i * (work.grain + 1) + j];
#pragma omp task firstprivate(i, j) depend(out : *gradient)
      derive(i, j);
#pragma omp task firstprivate(i, j) depend(in : *gradient) depend(out : *histogram)
      count(i, j);
    }
  }
  for (long i = 0; i < work.grain; ++i) {
    for (long j = 0; j < work.grain; ++j) {
      char *self = &counted[i * (work.grain + 1) + j], *right = self + 1;
      char *below = self + work.grain + 1, *across = below + 1;
#pragma omp task firstprivate(i, j) depend(in : *self, *right, *below, *across)
      normalise(i, j);
    }
  }
}

static void share_hog(void) {
  const long tiles = work.grain * work.grain;
#pragma omp for schedule(static)
  for (long t = 0; t < tiles; ++t) derive(t / work.grain, t % work.grain);
#pragma omp for schedule(static)
  for (long t = 0; t < tiles; ++t) count(t / work.grain, t % work.grain);
#pragma omp for schedule(static)
  for (long t = 0; t < tiles; ++t) normalise(t / work.grain, t % work.grain);
}

static bool verify_hog(void) {
  for (long t = 0; t < work.grain * work.grain; ++t) {
    if (described[t] != work.iterations) return false;
  }
  return memcmp(blocks, expected, block_bytes()) == 0;
}

static void spoil_hog(void) {
  blocks[0] += 0.25f;
}

static void finish_hog(void) {
  free(picture);
  free(gradients);
  free(histograms);
  free(blocks);
  free(expected);
  free(described);
  free(derived);
  free(counted);
}

const Kernel kHog = {.name = "hog",
                     .meaning = "histograms of gradients, a picture --size wide, --grain tiles a side",
                     .size = 1920,
                     .grain = 16,
                     .iterations = 5,
                     .prepare = prepare_hog,
                     .reset = reset_hog,
                     .restore = restore_hog,
                     .create = create_hog,
                     .share = share_hog,
                     .verify = verify_hog,
                     .spoil = spoil_hog,
                     .finish = finish_hog};
