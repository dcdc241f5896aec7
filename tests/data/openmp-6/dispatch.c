// dispatch construct (5.1).
#include <omp.h>

static int twice_on_dispatch(int x) {
  return 2 * x;
}
#pragma omp declare variant(twice_on_dispatch) match(construct = {dispatch})
static int twice(int x) {
  return -x;
}
int main(void) {
  int result = 0;
#pragma omp dispatch
  result = twice(21);
  return result != 42;
}
