// What the runtimes of LLVM 20 to 23 and of Intel export and that of LLVM 19 does not, called by hand.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#pragma GCC diagnostic ignored "-Wpedantic"  // POSIX: a pointer to void may be one to a function

static void* find(const char* name) {
  void* const found = dlvsym(RTLD_DEFAULT, name, "VERSION");
  if (found == NULL) fprintf(stderr, "no %s\n", name);
  CHECK(found != NULL);
  return found;
}

enum { kDefaultSpace = 99, kLowLatencySpace = 4, kGroupSpace = 5 };

static void spaces_of_the_host(void) {
  typedef uintptr_t (*of_device)(int, uintptr_t);
  typedef uintptr_t (*of_devices)(int, const int*, uintptr_t);
  const of_device space = (of_device)find("omp_get_device_memspace");
  const of_devices spaces = (of_devices)find("omp_get_devices_and_host_memspace");
  const of_device allocator = (of_device)find("omp_get_device_and_host_allocator");
  uintptr_t (*const of_all)(uintptr_t) = find("omp_get_devices_all_allocator");
  int (*const resources)(uintptr_t) = find("omp_get_memspace_num_resources");
  uintptr_t (*const part)(uintptr_t, int, const int*) = find("omp_get_submemspace");
  uintptr_t (*const by_reference)(const int*, const uintptr_t*) = find("omp_get_device_memspace_");
  const int host = omp_get_initial_device(), both[2] = {host, 7}, first = 0, second = 1;
  const uintptr_t wanted = kLowLatencySpace;
  CHECK(space(host, kDefaultSpace) == kDefaultSpace && space(7, kDefaultSpace) == 0);
  CHECK(by_reference(&host, &wanted) == kLowLatencySpace);
  CHECK(spaces(1, both, kGroupSpace) == kGroupSpace && spaces(2, both, kGroupSpace) == 0);
  CHECK(space(host, 77) == 0);
  CHECK(allocator(host, kDefaultSpace) == 1 && allocator(host, kLowLatencySpace) == 5 &&
        allocator(7, 1) == 0);
  CHECK(of_all(kGroupSpace) == 6);
  CHECK(resources(kDefaultSpace) == 1 && resources(77) == 0);
  CHECK(part(kDefaultSpace, 1, &first) == kDefaultSpace && part(kDefaultSpace, 1, &second) == 0);
}

// LLVM's headers from 21 on: the default space is 99, all threads 19.
static void allocators_of_newer_headers(void) {
  struct trait {
    int key;
    uintptr_t value;
  };
  uintptr_t (*const init)(uintptr_t, int, const struct trait*) = find("omp_init_allocator");
  void* (*const allocate)(size_t, uintptr_t) = find("omp_alloc");
  void (*const give_back)(void*, uintptr_t) = find("omp_free");
  void (*const destroy)(uintptr_t) = find("omp_destroy_allocator");
  const struct trait traits[] = {{3, 19},  {2, 256}, {4, 4096}, {5, 12},
                                 {11, 20}, {12, 21}, {13, 19},  {14, 64}};
  const uintptr_t allocator = init(kDefaultSpace, 8, traits);
  CHECK(allocator != 0);
  void* const block = allocate(100, allocator);
  CHECK(block != NULL && (uintptr_t)block % 256 == 0);
  CHECK(allocate(4096, allocator) == NULL);
  give_back(block, allocator);
  destroy(allocator);
  CHECK(init(98, 0, NULL) == 0);
  void* const pinned = allocate(100, 200);  // GNU's ompx_gnu_pinned_mem_alloc
  CHECK(pinned != NULL);
  memset(pinned, 1, 100);
  give_back(pinned, 200);
}

static void constants_are_data(void) {
  CHECK(*(uintptr_t*)find("omp_null_allocator") == 0 && *(uintptr_t*)find("omp_thread_mem_alloc") == 8);
  CHECK(*(uintptr_t*)find("omp_default_mem_space") == kDefaultSpace);
  CHECK(*(uintptr_t*)find("omp_cgroup_mem_space") == kGroupSpace);
}

static void names_for_fortran(void) {
  void (*const set)(const int*) = find("kmp_set_blocktime_");
  int (*const get)(void) = find("kmp_get_blocktime_");
  void* (*const allocate)(const size_t*) = find("kmp_malloc_");
  void (*const give_back)(void* const*) = find("kmp_free_");
  const int wanted = 12;
  set(&wanted);
  CHECK(get() == 12);
  const size_t bytes = 100;
  void* const block = allocate(&bytes);
  CHECK(block != NULL);
  memset(block, 1, bytes);
  give_back(&block);
}

static void groups_have_no_memory_on_the_host(void) {
  void* (*const memory)(size_t, int) = find("omp_get_dyn_gprivate_ptr");
  size_t (*const size)(int) = find("omp_get_dyn_gprivate_size");
  CHECK(memory(0, 10) == NULL && size(10) == 0);
}

static void devices_have_names(void) {
  const char* (*const name_of)(int) = find("omp_get_uid_from_device");
  int (*const device_of)(const char*) = find("omp_get_device_from_uid");
  CHECK(strcmp(name_of(omp_get_initial_device()), "HOST") == 0 && name_of(5) == NULL);
  CHECK(device_of("HOST") == omp_get_initial_device());
}

#ifdef __x86_64__
// Intel's real(16).
static void quads_change_in_one_step(void) {
  void (*const add)(void*, int, __float128*, __float128) = find("__kmpc_atomic_float16_add");
  __float128 (*const divide_reversed)(void*, int, __float128*, __float128, int) =
      find("__kmpc_atomic_float16_div_cpt_rev");
  void (*const add_to_byte)(void*, int, signed char*, __float128) = find("__kmpc_atomic_fixed1_add_fp");
  unsigned (*const subtract_reversed)(void*, int, unsigned*, __float128, int) =
      find("__kmpc_atomic_fixed4u_sub_cpt_rev_fp");
  __float128 sum = 0;
  signed char byte = 0;
#  pragma omp parallel num_threads(4)
  for (int i = 0; i < 25; ++i) {
    add(NULL, 0, &sum, 0.25Q);
    add_to_byte(NULL, 0, &byte, 1.75Q);  // what is stored is cut off each time
  }
  CHECK(sum == 25);
  CHECK(byte == 100);
  CHECK(divide_reversed(NULL, 0, &sum, 100, 1) == 4 && sum == 4);
  unsigned word = 3;
  CHECK(subtract_reversed(NULL, 0, &word, 10.5Q, 0) == 3 && word == 7);
}
#else
static void quads_change_in_one_step(void) {}
#endif

int main(void) {
  spaces_of_the_host();
  allocators_of_newer_headers();
  constants_are_data();
  names_for_fortran();
  groups_have_no_memory_on_the_host();
  devices_have_names();
  quads_change_in_one_step();
  return 0;
}
