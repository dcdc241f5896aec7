#include "suspension/sedov/geometry.h"

#include <math.h>

// Sides by their corners, as seen from outside.
static const int kSides[6][4] = {{0, 1, 2, 3}, {0, 4, 5, 1}, {1, 5, 6, 2},
                                 {2, 6, 7, 3}, {3, 7, 4, 0}, {4, 7, 6, 5}};

static double triple_product(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + b[0] * (a[2] * c[1] - a[1] * c[2]) +
         c[0] * (a[1] * b[2] - a[2] * b[1]);
}

double volume_of(const Corners* at) {
  double d31_72[3], d63[3], d20[3], d43_57[3], d64[3], d70[3], d14_25[3], d61[3], d50[3];
  for (int d = 0; d < 3; d++) {
    const double* const c = at->of[d];
    d31_72[d] = (c[3] - c[1]) + (c[7] - c[2]);
    d63[d] = c[6] - c[3];
    d20[d] = c[2] - c[0];
    d43_57[d] = (c[4] - c[3]) + (c[5] - c[7]);
    d64[d] = c[6] - c[4];
    d70[d] = c[7] - c[0];
    d14_25[d] = (c[1] - c[4]) + (c[2] - c[5]);
    d61[d] = c[6] - c[1];
    d50[d] = c[5] - c[0];
  }
  return (triple_product(d31_72, d63, d20) + triple_product(d43_57, d64, d70) +
          triple_product(d14_25, d61, d50)) /
         12;
}

double shape_derivatives(const Corners* at, Corners* derivatives) {
  double jacobian[3][3];  // [direction in space][own direction]
  for (int d = 0; d < 3; d++) {
    const double* const c = at->of[d];
    const double a60 = c[6] - c[0], a53 = c[5] - c[3], a71 = c[7] - c[1], a42 = c[4] - c[2];
    jacobian[d][0] = 0.125 * (a60 + a53 - a71 - a42);
    jacobian[d][1] = 0.125 * (a60 - a53 + a71 - a42);
    jacobian[d][2] = 0.125 * (a60 + a53 + a71 + a42);
  }
  double volume = 0;
  for (int d = 0; d < 3; d++) {
    const double *const a = jacobian[(d + 1) % 3], *const b = jacobian[(d + 2) % 3];
    const double first = a[1] * b[2] - b[1] * a[2], second = b[0] * a[2] - a[0] * b[2],
                 third = a[0] * b[1] - b[0] * a[1];
    double* const result = derivatives->of[d];
    result[0] = -first - second - third;
    result[1] = first - second - third;
    result[2] = first + second - third;
    result[3] = -first + second - third;
    for (int corner = 0; corner < 4; corner++) result[4 + corner] = -result[(corner + 2) % 4];
    volume += 8 * jacobian[d][1] * second;
  }
  return volume;
}

void corner_normals(const Corners* at, Corners* normals) {
  *normals = (Corners){{{0}}};
  for (int side = 0; side < 6; side++) {
    const int* const n = kSides[side];
    double across[3], along[3];
    for (int d = 0; d < 3; d++) {
      const double* const c = at->of[d];
      across[d] = 0.5 * (c[n[3]] + c[n[2]] - c[n[1]] - c[n[0]]);
      along[d] = 0.5 * (c[n[2]] + c[n[1]] - c[n[3]] - c[n[0]]);
    }
    for (int d = 0; d < 3; d++) {
      const int a = (d + 1) % 3, b = (d + 2) % 3;
      const double area = 0.25 * (across[a] * along[b] - across[b] * along[a]);
      for (int corner = 0; corner < 4; corner++) normals->of[d][n[corner]] += area;
    }
  }
}

void volume_derivatives(const Corners* at, Corners* derivatives) {
  // Of each corner the six others that its derivative needs: around it, and beyond.
  static const int kOthers[8][6] = {{1, 2, 3, 4, 5, 7}, {2, 3, 0, 5, 6, 4}, {3, 0, 1, 6, 7, 5},
                                    {0, 1, 2, 7, 4, 6}, {7, 6, 5, 0, 3, 1}, {4, 7, 6, 1, 0, 2},
                                    {5, 4, 7, 2, 1, 3}, {6, 5, 4, 3, 2, 0}};
  for (int corner = 0; corner < 8; corner++) {
    const int* const n = kOthers[corner];
    for (int d = 0; d < 3; d++) {
      const double *const a = at->of[(d + 1) % 3], *const b = at->of[(d + 2) % 3];
      const double a0 = a[n[0]], a1 = a[n[1]], a2 = a[n[2]], a3 = a[n[3]], a4 = a[n[4]], a5 = a[n[5]];
      const double b0 = b[n[0]], b1 = b[n[1]], b2 = b[n[2]], b3 = b[n[3]], b4 = b[n[4]], b5 = b[n[5]];
      derivatives->of[d][corner] = ((a1 + a2) * (b0 + b1) - (a0 + a1) * (b1 + b2) + (a0 + a4) * (b3 + b4) -
                                    (a3 + a4) * (b0 + b4) - (a2 + a5) * (b3 + b5) + (a3 + a5) * (b2 + b5)) /
                                   12;
    }
  }
}

// 16 times the square of its area.
static double side_area(const Corners* at, const int n[4]) {
  double ff = 0, gg = 0, fg = 0;
  for (int d = 0; d < 3; d++) {
    const double* const c = at->of[d];
    const double f = (c[n[2]] - c[n[0]]) - (c[n[3]] - c[n[1]]), g = (c[n[2]] - c[n[0]]) + (c[n[3]] - c[n[1]]);
    ff += f * f;
    gg += g * g;
    fg += f * g;
  }
  return ff * gg - fg * fg;
}

double characteristic_length(const Corners* at, double volume) {
  double largest = 0;
  for (int side = 0; side < 6; side++) largest = fmax(largest, side_area(at, kSides[side]));
  return 4 * volume / sqrt(largest);
}
