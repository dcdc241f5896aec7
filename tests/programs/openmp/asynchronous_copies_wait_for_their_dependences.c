// omp_target_memcpy_async and its rectangular sister are tasks: they wait for the depend objects that they
// are given. OpenMP 5.2, 18.8.7 and 18.8.8. GCC 12 does not have them.
#include <omp.h>

#include "check.h"

#pragma weak omp_target_memcpy_async
#pragma weak omp_target_memcpy_rect_async
#pragma weak omp_target_memset

int main(void) {
  const int host = omp_get_initial_device();
  for (int round = 0; round < 50; round++) {
    int source[8] = {0}, middle[8] = {0}, target[8] = {0};
#pragma omp parallel num_threads(4)
#pragma omp single
    {
      omp_depend_t in_source, out_middle, out_target;
#pragma omp depobj(in_source) depend(in : source)
#pragma omp depobj(out_middle) depend(inout : middle)
#pragma omp depobj(out_target) depend(inout : target)
#pragma omp task depend(out : source)
      for (int i = 0; i < 8; i++) source[i] = round + i;
      omp_depend_t first[] = {in_source, out_middle};
      CHECK(omp_target_memcpy_async(middle, source, sizeof source, 0, 0, host, host, 2, first) == 0);
      size_t volume[] = {1, 4}, zero[] = {0, 0}, offset[] = {1, 0}, extents[] = {2, 4};
      omp_depend_t second[] = {out_middle, out_target};
      CHECK(omp_target_memcpy_rect_async(target, middle, sizeof(int), 2, volume, zero, offset, extents,
                                         extents, host, host, 2, second) == 0);
      volume[1] = zero[1] = extents[1] = 99;
#pragma omp task depend(inout : target)
      target[7] = -7;
#pragma omp taskwait
#pragma omp depobj(in_source) destroy
#pragma omp depobj(out_middle) destroy
#pragma omp depobj(out_target) destroy
    }
    for (int i = 0; i < 4; i++) CHECK(target[i] == round + 4 + i);
    CHECK(target[4] == 0 && target[7] == -7);
    CHECK(omp_target_memset(target, 0xff, sizeof target, host) == target && target[0] == -1);
  }
  return 0;
}
