// Nothing planted: dependences, a group, a mutexinoutset and recursion, with one possible output.
#include <stdio.h>

enum { kSide = 5 };

static int fibonacci(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fibonacci(n - 1);
#pragma omp task shared(b)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  long cell[kSide + 1][kSide + 1];
  int sum = 0, number = 0, loop = 0;
  for (int i = 0; i <= kSide; ++i) cell[i][0] = cell[0][i] = 1;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 1; i <= kSide; ++i)
      for (int j = 1; j <= kSide; ++j) {
#pragma omp task shared(cell) firstprivate(i, j) depend(in : cell[i - 1][j], cell[i][j - 1]) \
    depend(out : cell[i][j])
        cell[i][j] = 2 * cell[i - 1][j] + 3 * cell[i][j - 1];
      }
    for (int i = 0; i < 10; ++i) {
#pragma omp task shared(sum) firstprivate(i) depend(mutexinoutset : sum)
      sum += i;
    }
#pragma omp taskgroup
    {
#pragma omp task shared(number)
      number = fibonacci(9);
    }
#pragma omp taskloop shared(loop) grainsize(3)
    for (int i = 0; i < 20; ++i) {
#pragma omp atomic
      loop += i;
    }
  }
  printf("%ld %d %d %d\n", cell[kSide][kSide], sum, number, loop);
  return 0;
}
