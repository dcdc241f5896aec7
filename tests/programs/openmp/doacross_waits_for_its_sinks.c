// An iteration of a doacross nest waits for the iterations its sinks name, over one and two loops, collapsed,
// upwards and downwards; a sink outside the iteration space is none (OpenMP 5.2, section 15.9.6).
#include "check.h"

enum { kSize = 64 };

static int expected[kSize + 2][kSize], found[kSize + 2][kSize];

static void compare(void) {
  for (int i = 0; i < kSize + 2; ++i)
    for (int j = 0; j < kSize; ++j) CHECK(found[i][j] == expected[i][j]);
}

int main(void) {
  for (int repeat = 0; repeat < 10; ++repeat) {
    for (int i = 2; i < kSize; i += 2)
      for (int j = 1; j < kSize; ++j)
        expected[i][j] = 1 + (i >= 4 ? expected[i - 2][j] : 0) + (j > 1 ? expected[i][j - 1] : 0) % 1000;
#pragma omp parallel for ordered(2) schedule(dynamic, 2)
    for (int i = 2; i < kSize; i += 2)
      for (int j = 1; j < kSize; ++j) {
#pragma omp ordered depend(sink : i - 2, j) depend(sink : i, j - 1)
        found[i][j] = 1 + (i >= 4 ? found[i - 2][j] : 0) + (j > 1 ? found[i][j - 1] : 0) % 1000;
#pragma omp ordered depend(source)
      }
    compare();

    for (int i = kSize; i > 0; i -= 2)
      for (int j = 1; j < kSize; ++j)
        expected[i][j] = 1 + (i < kSize ? expected[i + 2][j] : 0) % 777 + (j > 1 ? expected[i][j - 1] : 0);
#pragma omp parallel for ordered(2) collapse(2)
    for (int i = kSize; i > 0; i -= 2)
      for (int j = 1; j < kSize; ++j) {
#pragma omp ordered depend(sink : i + 2, j) depend(sink : i, j - 1)
        found[i][j] = 1 + (i < kSize ? found[i + 2][j] : 0) % 777 + (j > 1 ? found[i][j - 1] : 0);
#pragma omp ordered depend(source)
      }
    compare();

    int line[kSize] = {0};
#pragma omp parallel for ordered(1) schedule(guided)
    for (unsigned long long i = 5; i < kSize; ++i) {
#pragma omp ordered depend(sink : i - 1)
      line[i] = i == 5 ? 1 : line[i - 1] + 1;
#pragma omp ordered depend(source)
    }
    CHECK(line[kSize - 1] == kSize - 5);
  }
  return 0;
}
