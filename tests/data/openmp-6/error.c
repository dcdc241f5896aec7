// error at(execution) (5.1).
#include <omp.h>

int main(void) {
#pragma omp error at(execution) severity(warning) message("as wanted")
  return 0;
}
