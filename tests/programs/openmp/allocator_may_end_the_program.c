// fallback abort_fb ends the program with one line. OpenMP 5.2, 6.2.
#include <omp.h>

#include "rerun.h"

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_abort_fb}};
    const omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 2, traits);
    void* block = omp_alloc(100, small);
    if (block == NULL) return 3;
    omp_free(block, small);
    omp_alloc(10000, small);
    return 0;
  }
  rerun_result* result = rerun("", "inner");
  CHECK(result->status == 2);
  CHECK(strncmp(result->output, "heddle: ", 8) == 0 && strstr(result->output, "pool_size") != NULL);
  return 0;
}
