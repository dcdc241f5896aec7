// def-allocator-var has data environment scope; OMP_ALLOCATOR sets where it starts, with traits if need be.
// OpenMP 5.2, 2.4, 18.13.4 omp_set_default_allocator and 21.5.1 OMP_ALLOCATOR.
#include <omp.h>
#include <stdint.h>

#include "rerun.h"

static void* volatile block;  // reachable to the end: not a leak

static int inner(const char* mode) {
  block = omp_alloc(3 * 1024 * 1024, omp_null_allocator);
  if (mode[0] == 'h') return omp_get_default_allocator() != omp_high_bw_mem_alloc;
  if (mode[0] == 'p') return block != NULL;
  if (mode[0] == 'a') return (uintptr_t)block % 8192 != 0;
  return omp_get_default_allocator() != omp_default_mem_alloc;
}

int main(int argc, char** argv) {
  if (argc > 1) return inner(argv[1]);
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
  omp_set_default_allocator(omp_thread_mem_alloc);
#pragma omp parallel num_threads(3)
  {
    CHECK(omp_get_default_allocator() == omp_thread_mem_alloc);
    omp_set_default_allocator(omp_pteam_mem_alloc);
#pragma omp task
    {
      CHECK(omp_get_default_allocator() == omp_pteam_mem_alloc);
      omp_set_default_allocator(omp_const_mem_alloc);
    }
#pragma omp taskwait
    CHECK(omp_get_default_allocator() == omp_pteam_mem_alloc);
  }
  CHECK(omp_get_default_allocator() == omp_thread_mem_alloc);

  CHECK(rerun("OMP_ALLOCATOR=omp_high_bw_mem_alloc", "h")->status == 0);
  CHECK(rerun("OMP_ALLOCATOR=' omp_default_mem_space : pool_size=1048576 , fallback=null_fb'", "p")->status ==
        0);
  CHECK(rerun("OMP_ALLOCATOR=omp_large_cap_mem_space:alignment=8192", "a")->status == 0);
  rerun_result* result = rerun("OMP_ALLOCATOR=omp_default_mem_space:alignment=3", "default");
  CHECK(result->status == 0 &&
        strstr(result->output, "OMP_ALLOCATOR='omp_default_mem_space:alignment=3'") != NULL);
  return 0;
}
