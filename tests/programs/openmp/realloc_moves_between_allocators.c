// omp_realloc keeps the contents, also from one allocator to another. OpenMP 5.2, 18.13.10.
#include <omp.h>

#include "check.h"

int main(void) {
  omp_alloctrait_t alignment = {omp_atk_alignment, 1024};
  const omp_allocator_handle_t other = omp_init_allocator(omp_default_mem_space, 1, &alignment);
  int* numbers = omp_realloc(NULL, 10 * sizeof(int), omp_default_mem_alloc, omp_null_allocator);
  for (int i = 0; i < 10; i++) numbers[i] = i;
  numbers = omp_realloc(numbers, 10000 * sizeof(int), other, omp_default_mem_alloc);
  CHECK((omp_uintptr_t)numbers % 1024 == 0);
  for (int i = 0; i < 10; i++) CHECK(numbers[i] == i);
  numbers = omp_realloc(numbers, 5 * sizeof(int), omp_null_allocator, omp_null_allocator);
  CHECK((omp_uintptr_t)numbers % 1024 == 0);  // stays with its allocator
  for (int i = 0; i < 5; i++) CHECK(numbers[i] == i);
  CHECK(omp_realloc(numbers, 0, omp_null_allocator, omp_null_allocator) == NULL);
  omp_destroy_allocator(other);
  return 0;
}
