// Firstprivate data of a task is whole whatever its size, and its address has the alignment of its type.
// OpenMP 5.1, 2.21.4.4 firstprivate clause.
#include <omp.h>
#include <stdint.h>

#include "check.h"

struct Wide {
  _Alignas(32) double lanes[4];
};

struct Large {
  int cells[5000];
};

int main(void) {
  static struct Large large;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 100; round++) {
    struct Wide wide = {{round, round + 1, round + 2, round + 3}};
    long double extended = round + 0.25L;
    char letter = (char)('a' + round % 26);
    for (int i = 0; i < 5000; i++) large.cells[i] = i ^ round;
#pragma omp task firstprivate(wide, extended, letter)
    {
      struct Wide* where = &wide;
      CHECK((uintptr_t)where % 16 == 0 && (uintptr_t)&extended % _Alignof(long double) == 0);
      for (int i = 0; i < 4; i++) CHECK(wide.lanes[i] == round + i);
      CHECK(extended == round + 0.25L && letter == 'a' + round % 26);
    }
#pragma omp task firstprivate(large)
    for (int i = 0; i < 5000; i++) CHECK(large.cells[i] == (i ^ round));
#ifndef __clang__  // which takes no array of variable length there
    int length = 1 + round * 3;
    short row[length];
    for (int i = 0; i < length; i++) row[i] = (short)(i + round);
#  pragma omp task firstprivate(row, letter)
    {
      for (int i = 0; i < length; i++) CHECK(row[i] == i + round);
      CHECK(letter == 'a' + round % 26);
    }
#endif
  }
  return 0;
}
