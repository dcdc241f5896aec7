// Routines of LLVM's omp.h beyond the standard: stacks, spinning, memory, masks, warnings, defaults.
// Source: the declarations in that header.
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "rerun.h"

static void check_defaults(void) {
  kmp_set_defaults("OMP_NUM_THREADS=3|OMP_SCHEDULE=guided,5|KMP_LOCK_KIND=tas|");
  CHECK(omp_get_max_threads() == 3);
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  CHECK((kind & 0xff) == omp_sched_guided && chunk == 5);
}

static void check_memory(void) {
#pragma omp parallel num_threads(4)
  for (size_t bytes = 1; bytes < 3000; bytes += 97) {
    char* plain = kmp_malloc(bytes);
    char* zeroed = kmp_calloc(bytes, 2);
    char* aligned = kmp_aligned_malloc(bytes, 256);
    CHECK(plain != NULL && zeroed != NULL && (uintptr_t)aligned % 256 == 0);
    memset(plain, 1, bytes);
    memset(aligned, 2, bytes);
    CHECK(zeroed[0] == 0 && zeroed[2 * bytes - 1] == 0);
    plain = kmp_realloc(plain, 2 * bytes);
    CHECK(plain[bytes - 1] == 1);
    kmp_free(plain);
    kmp_free(zeroed);
    kmp_free(aligned);
  }
}

static void check_masks(void) {
  kmp_affinity_mask_t before, one;
  kmp_create_affinity_mask(&before);
  kmp_create_affinity_mask(&one);
  CHECK(kmp_get_affinity(&before) == 0);
  int first = -1, count = 0;
  for (int i = 0; i < kmp_get_affinity_max_proc(); i++) {
    const int is_in = kmp_get_affinity_mask_proc(i, &before);
    CHECK(is_in == 0 || is_in == 1);
    if (is_in && first < 0) first = i;
    count += is_in;
  }
  CHECK(count >= 1 && kmp_get_affinity_mask_proc(-1, &before) < 0);
  CHECK(kmp_set_affinity_mask_proc(kmp_get_affinity_max_proc(), &one) < 0);
  CHECK(kmp_set_affinity_mask_proc(first, &one) == 0 && kmp_set_affinity(&one) == 0);
  CHECK(kmp_unset_affinity_mask_proc(first, &one) == 0 && kmp_get_affinity_mask_proc(first, &one) == 0);
  CHECK(kmp_get_affinity(&one) == 0 && kmp_get_affinity_mask_proc(first, &one) == 1);
  CHECK(kmp_set_affinity(&before) == 0);
  kmp_destroy_affinity_mask(&before);
  kmp_destroy_affinity_mask(&one);
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) {
    kmp_set_warnings_off();
    omp_set_num_threads(-1);
    kmp_set_warnings_on();
    omp_set_num_threads(-2);
    return 0;
  }
  check_defaults();
  check_memory();
  check_masks();
  CHECK(kmp_get_stacksize() > 0 && kmp_get_stacksize_s() > 0);
  kmp_set_stacksize_s(3 << 20);
  CHECK(kmp_get_stacksize() == 3 << 20);
  kmp_set_stacksize(4 << 20);
  CHECK(kmp_get_stacksize_s() == 4 << 20);
  kmp_set_blocktime(7);
  CHECK(kmp_get_blocktime() == 7);
  kmp_set_library_turnaround();
  CHECK(kmp_get_library() == 2);
  kmp_set_library_throughput();
  CHECK(kmp_get_library() == 3);
  kmp_set_disp_num_buffers(5);
  kmp_set_library_serial();
  CHECK(kmp_get_library() == 1 && omp_get_max_threads() == 1);
  const char* output = rerun("", "inner")->output;
  CHECK(strstr(output, "-1") == NULL && strstr(output, "-2") != NULL);
  return 0;
}
