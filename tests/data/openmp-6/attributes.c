// C23 attributes for directives (6.0).
#include <omp.h>

int main(void) {
  int sum = 0;
  [[omp::directive(parallel for num_threads(2) reduction(+ : sum))]]
  for (int i = 0; i < 9; i++)
    sum += i;
  return sum != 36;
}
