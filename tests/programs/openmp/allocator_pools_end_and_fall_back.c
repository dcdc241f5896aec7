// An allocator hands out no more than its pool holds; then its fallback decides. Blocks given back make room.
// OpenMP 5.2, 6.2.
#include <omp.h>

#include "check.h"

enum { BLOCK = 1024 * 1024 };

static omp_allocator_handle_t with(omp_uintptr_t fallback, omp_uintptr_t data) {
  omp_alloctrait_t traits[] = {
      {omp_atk_pool_size, 2 * BLOCK}, {omp_atk_fallback, fallback}, {omp_atk_fb_data, data}};
  return omp_init_allocator(omp_default_mem_space, 3, traits);
}

int main(void) {
  const omp_allocator_handle_t null = with(omp_atv_null_fb, omp_null_allocator);
  const omp_allocator_handle_t normal = with(omp_atv_default_mem_fb, omp_null_allocator);
  const omp_allocator_handle_t chained = with(omp_atv_allocator_fb, null);
  CHECK(with(omp_atv_allocator_fb, omp_null_allocator) == omp_null_allocator);

  // Two halves of a pool, with a little overhead each, are one too many.
  void* blocks[4];
  int given = 0;
#pragma omp parallel num_threads(4) reduction(+ : given)
  {
    const int self = omp_get_thread_num();
    blocks[self] = omp_alloc(BLOCK, null);
    given += blocks[self] != NULL;
#pragma omp barrier
    omp_free(blocks[self], null);
  }
  CHECK(given == 1);
  CHECK(omp_alloc(3 * BLOCK, null) == NULL);
  void* again = omp_alloc(BLOCK, null);
  CHECK(again != NULL);

  void* first = omp_alloc(BLOCK, normal);
  void* second = omp_alloc(BLOCK, normal);
  CHECK(first != NULL && second != NULL);
  omp_free(second, normal);
  omp_free(first, normal);

  void* own = omp_alloc(BLOCK, chained);
  CHECK(own != NULL && omp_alloc(BLOCK, chained) == NULL);  // null's pool is full
  omp_free(again, null);
  void* lent = omp_alloc(BLOCK, chained);
  CHECK(lent != NULL && omp_alloc(BLOCK, null) == NULL);
  omp_free(lent, chained);
  omp_free(own, chained);

  omp_destroy_allocator(chained);
  omp_destroy_allocator(normal);
  omp_destroy_allocator(null);
  return 0;
}
