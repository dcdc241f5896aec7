// Blocks are aligned as the allocator's trait and the call say, whichever is more, and are what the program
// makes of them. OpenMP 5.2, 6.2 memory allocators and 18.13 memory management routines.
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

static int is_aligned(void* block, uintptr_t alignment) {
  return block != NULL && (uintptr_t)block % alignment == 0;
}

int main(void) {
  const omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}, {omp_atk_access, omp_atv_all}};
  const omp_allocator_handle_t wide = omp_init_allocator(omp_default_mem_space, 2, (omp_alloctrait_t*)traits);
  CHECK(wide != omp_null_allocator);
#pragma omp parallel num_threads(4)
  for (int i = 1; i < 200; i++) {
    unsigned char* plain = omp_alloc((size_t)i, omp_null_allocator);
    unsigned char* by_trait = omp_alloc((size_t)i, wide);
    unsigned char* by_call = omp_aligned_alloc(4096, 4096, wide);
    unsigned char* zeroed = omp_calloc((size_t)i, 3, wide);
    unsigned char* both = omp_aligned_calloc(512, 2, 256, omp_large_cap_mem_alloc);
    CHECK(is_aligned(plain, sizeof(void*)) && is_aligned(by_trait, 256) && is_aligned(by_call, 4096));
    CHECK(is_aligned(zeroed, 256) && is_aligned(both, 512));
    for (int j = 0; j < 3 * i; j++) CHECK(zeroed[j] == 0);
    for (int j = 0; j < 512; j++) CHECK(both[j] == 0);
    memset(plain, 1, (size_t)i);
    memset(by_trait, 2, (size_t)i);
    memset(by_call, 3, 4096);
    memset(zeroed, 4, 3 * (size_t)i);
    CHECK(plain[i - 1] == 1 && by_trait[i - 1] == 2 && by_call[4095] == 3);
    omp_free(plain, omp_null_allocator);
    omp_free(by_trait, wide);
    omp_free(by_call, omp_null_allocator);
    omp_free(zeroed, wide);
    omp_free(both, omp_large_cap_mem_alloc);
  }
  CHECK(omp_alloc(0, wide) == NULL);
  omp_free(NULL, wide);
  omp_destroy_allocator(wide);
  return 0;
}
