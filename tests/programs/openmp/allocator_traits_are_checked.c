// omp_init_allocator returns omp_null_allocator for what cannot be; every trait of the standard can.
// OpenMP 5.2, 6.2 and 18.13.2.
#include <omp.h>
#include <string.h>

#include "check.h"

static omp_allocator_handle_t with(omp_alloctrait_key_t key, omp_uintptr_t value) {
  omp_alloctrait_t trait = {key, value};
  return omp_init_allocator(omp_large_cap_mem_space, 1, &trait);
}

static void works(omp_allocator_handle_t allocator) {
  CHECK(allocator != omp_null_allocator);
  char* block = omp_alloc(100000, allocator);
  CHECK(block != NULL);
  memset(block, 1, 100000);
  block = omp_realloc(block, 200000, allocator, allocator);
  CHECK(block != NULL && block[99999] == 1);
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
}

int main(void) {
  works(omp_init_allocator(omp_high_bw_mem_space, 0, NULL));
  for (int i = 3; i <= 6; i++) works(with(omp_atk_sync_hint, (omp_uintptr_t)i));
  for (int i = 7; i <= 10; i++) works(with(omp_atk_access, (omp_uintptr_t)i));
  for (int i = 15; i <= 18; i++) works(with(omp_atk_partition, (omp_uintptr_t)i));
  for (int i = 1; i <= 8; i++)
    if (i != omp_atk_fb_data) works(with((omp_alloctrait_key_t)i, omp_atv_default));
  works(with(omp_atk_pinned, omp_atv_true));

  CHECK(with(omp_atk_alignment, 3) == omp_null_allocator);
  CHECK(with(omp_atk_alignment, 0) == omp_null_allocator);
  CHECK(with(omp_atk_pool_size, 0) == omp_null_allocator);
  CHECK(with(omp_atk_access, omp_atv_contended) == omp_null_allocator);
  CHECK(with((omp_alloctrait_key_t)77, 1) == omp_null_allocator);
  CHECK(omp_init_allocator((omp_memspace_handle_t)55, 0, NULL) == omp_null_allocator);
  return 0;
}
