#include "suspension/cholesky/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double* tile(const Matrix* matrix, int i, int j) {
  const size_t before = (size_t)i * (size_t)(i + 1) / 2 + (size_t)j;
  return matrix->values + before * (size_t)tile_values(matrix);
}

int tile_values(const Matrix* matrix) {
  return matrix->size * matrix->size;
}

int owner(const Matrix* matrix, int column) {
  return column % matrix->ranks.count;
}

int is_own(const Matrix* matrix, int column) {
  return owner(matrix, column) == matrix->ranks.rank;
}

// Diagonally dominant, so positive definite.
static double initial(const Matrix* matrix, int row, int column) {
  const int distance = abs(row - column);
  return distance == 0 ? matrix->tiles * matrix->size : 1.0 / (1 + distance + (row + column) % 7);
}

int create_matrix(Matrix* matrix, int tiles, int size, Ranks ranks) {
  *matrix = (Matrix){tiles, size, ranks, NULL};
  const size_t count = (size_t)tiles * (size_t)(tiles + 1) / 2 * (size_t)tile_values(matrix);
  matrix->values = malloc(count * sizeof *matrix->values);
  if (matrix->values == NULL) return 0;
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j <= i; j++)
      for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
          tile(matrix, i, j)[row * size + column] =
              is_own(matrix, j) ? initial(matrix, i * size + row, j * size + column) : NAN;
  return 1;
}

void free_matrix(Matrix* matrix) {
  free(matrix->values);
  matrix->values = NULL;
}

void factorise_diagonal(const Matrix* matrix, int k) {
  const int n = matrix->size;
  double* a = tile(matrix, k, k);
  for (int j = 0; j < n; j++) {
    for (int l = 0; l < j; l++)
      for (int i = j; i < n; i++) a[i * n + j] -= a[i * n + l] * a[j * n + l];
    const double root = sqrt(a[j * n + j]);
    for (int i = j; i < n; i++) a[i * n + j] /= root;
  }
}

void solve_panel(const Matrix* matrix, int i, int k) {
  const int n = matrix->size;
  const double* diagonal = tile(matrix, k, k);
  double* a = tile(matrix, i, k);
  for (int row = 0; row < n; row++) {
    for (int j = 0; j < n; j++) {
      double value = a[row * n + j];
      for (int l = 0; l < j; l++) value -= a[row * n + l] * diagonal[j * n + l];
      a[row * n + j] = value / diagonal[j * n + j];
    }
  }
}

void update(const Matrix* matrix, int i, int j, int k) {
  const int n = matrix->size;
  const double *left = tile(matrix, i, k), *right = tile(matrix, j, k);
  double* a = tile(matrix, i, j);
  for (int row = 0; row < n; row++) {
    for (int column = 0; column < n; column++) {
      double product = 0;
      for (int l = 0; l < n; l++) product += left[row * n + l] * right[column * n + l];
      a[row * n + column] -= product;
    }
  }
}

void factorise_serially(Matrix* matrix) {
  for (int k = 0; k < matrix->tiles; k++) {
    factorise_diagonal(matrix, k);
    for (int i = k + 1; i < matrix->tiles; i++) solve_panel(matrix, i, k);
    for (int j = k + 1; j < matrix->tiles; j++)
      for (int i = j; i < matrix->tiles; i++) update(matrix, i, j, k);
  }
}

int own_columns_equal(const Matrix* matrix, const Matrix* reference) {
  for (int j = matrix->ranks.rank; j < matrix->tiles; j += matrix->ranks.count)
    for (int i = j; i < matrix->tiles; i++)
      if (memcmp(tile(matrix, i, j), tile(reference, i, j), (size_t)tile_values(matrix) * sizeof(double)) !=
          0)
        return 0;
  return 1;
}

uint64_t checksum_of_own_columns(const Matrix* matrix) {
  uint64_t sum = 0;
  for (int j = matrix->ranks.rank; j < matrix->tiles; j += matrix->ranks.count)
    for (int i = j; i < matrix->tiles; i++)
      sum += checksum_of(tile(matrix, i, j), (size_t)tile_values(matrix), (uint64_t)(i * matrix->tiles + j));
  return sum;
}

static double factor(const Matrix* matrix, int row, int column) {
  const int n = matrix->size;
  return tile(matrix, row / n, column / n)[row % n * n + column % n];
}

double residual(const Matrix* matrix) {
  const int n = matrix->tiles * matrix->size;
  double largest = 0;
  for (int row = 0; row < n; row++) {
    for (int column = 0; column <= row; column++) {
      double product = 0;
      for (int l = 0; l <= column; l++) product += factor(matrix, row, l) * factor(matrix, column, l);
      largest = fmax(largest, fabs(initial(matrix, row, column) - product));
    }
  }
  return largest / n;
}
