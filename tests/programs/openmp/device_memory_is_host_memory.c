// The device memory routines on the host. OpenMP 5.2, 18.8.
#include <omp.h>

#include "check.h"

#ifdef __clang__  // LLVM has these in a library for devices that this program is not linked with
#  pragma weak omp_target_alloc
#  pragma weak omp_target_free
#  pragma weak omp_target_is_present
#  pragma weak omp_target_is_accessible
#  pragma weak omp_get_mapped_ptr
#  pragma weak omp_target_memcpy
#  pragma weak omp_target_memcpy_rect
#  pragma weak omp_target_associate_ptr
#  pragma weak omp_target_disassociate_ptr
#endif

int main(void) {
  const int host = omp_get_initial_device();
  int* memory = omp_target_alloc(100 * sizeof(int), host);
  CHECK(memory != NULL);
  CHECK(omp_target_alloc(0, host) == NULL);
  CHECK(omp_target_alloc(100, host + 5) == NULL);
  CHECK(omp_target_is_present(memory, host));
  CHECK(!omp_target_is_present(memory, host + 5));

  int from[100];
  for (int i = 0; i < 100; i++) from[i] = i;
  CHECK(omp_target_memcpy(memory, from, 90 * sizeof(int), 10 * sizeof(int), 5 * sizeof(int), host, host) ==
        0);
  for (int i = 0; i < 90; i++) CHECK(memory[10 + i] == 5 + i);
  CHECK(omp_target_memcpy(memory, from, 4, 0, 0, host, host + 5) != 0);

  // A box of 2 x 3 from (1, 2) in 5 x 20 to (0, 1) in 10 x 10.
  const size_t volume[] = {2, 3}, to_offsets[] = {0, 1}, from_offsets[] = {1, 2}, to_extents[] = {10, 10},
               from_extents[] = {5, 20};
  for (int i = 0; i < 100; i++) memory[i] = -1;
  CHECK(omp_target_memcpy_rect(memory, from, sizeof(int), 2, volume, to_offsets, from_offsets, to_extents,
                               from_extents, host, host) == 0);
  for (int row = 0; row < 10; row++)
    for (int column = 0; column < 10; column++) {
      const int is_inside = row < 2 && column >= 1 && column < 4;
      CHECK(memory[10 * row + column] == (is_inside ? 20 * (row + 1) + column + 1 : -1));
    }
  CHECK(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3);
  CHECK(omp_target_memcpy_rect(memory, from, 4, 0, volume, to_offsets, from_offsets, to_extents, from_extents,
                               host, host) != 0);

  CHECK(omp_target_associate_ptr(from, memory, sizeof from, 0, host) != 0);
  CHECK(omp_target_disassociate_ptr(from, host) != 0);
#ifdef __clang__
  CHECK(omp_target_is_accessible(memory, 4, host));
  CHECK(omp_get_mapped_ptr(memory, host) == memory);
  CHECK(omp_get_mapped_ptr(memory, host + 5) == NULL);
#endif
  omp_target_free(memory, host);
  omp_target_free(NULL, host);
  return 0;
}
