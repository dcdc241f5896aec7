// The lower triangle of a symmetric matrix in square tiles, and the four steps of its Cholesky factorisation.
//
// Words: a *panel* is what a column of tiles has below its diagonal. Columns go round the ranks: rank r owns
// those with column % ranks == r. Every rank has room for all tiles; what it does not own holds the panel
// tiles that it receives, which nobody changes again.
#ifndef HEDDLE_EXAMPLES_CHOLESKY_TILES_H
#define HEDDLE_EXAMPLES_CHOLESKY_TILES_H

#include <stdint.h>

#include "suspension/ranks.h"

typedef struct Matrix {
  int tiles;  // in a column or row
  int size;   // of a tile, in each direction
  Ranks ranks;
  double* values;  // tile after tile, each by rows
} Matrix;

// What a form provides.
extern const Form kForm;
void factorise(Matrix* matrix);

// The tile in row i and column j. Requires: i >= j.
double* tile(const Matrix* matrix, int i, int j);
int tile_values(const Matrix* matrix);
int owner(const Matrix* matrix, int column);
int is_own(const Matrix* matrix, int column);

// A positive definite matrix: own tiles are filled, the others are not numbers. Returns 0 where memory lacks.
int create_matrix(Matrix* matrix, int tiles, int size, Ranks ranks);
void free_matrix(Matrix* matrix);

// The steps, for column k: tile (k, k); tile (i, k) of its panel; what both do to tile (i, j), i >= j > k.
void factorise_diagonal(const Matrix* matrix, int k);
void solve_panel(const Matrix* matrix, int i, int k);
void update(const Matrix* matrix, int i, int j, int k);

// All steps of one rank that owns everything.
void factorise_serially(Matrix* matrix);

// Whether the columns that this rank owns are the same, bit for bit.
int own_columns_equal(const Matrix* matrix, const Matrix* reference);
uint64_t checksum_of_own_columns(const Matrix* matrix);

// The largest difference between the matrix that create_matrix() makes and L times its transpose, relative to
// the largest value. Requires: the matrix holds all of L.
double residual(const Matrix* matrix);

#endif
