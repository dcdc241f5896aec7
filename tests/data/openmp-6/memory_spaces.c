// routines of memory spaces (6.0).
#include <omp.h>

int main(void) {
  const omp_memspace_handle_t space =
      omp_get_device_memspace(omp_get_initial_device(), omp_default_mem_space);
  if (space == omp_null_mem_space) return 1;
  const omp_allocator_handle_t allocator = omp_init_allocator(space, 0, (omp_alloctrait_t*)0);
  void* block = omp_alloc(100, allocator);
  omp_free(block, allocator);
  return block == (void*)0;
}
