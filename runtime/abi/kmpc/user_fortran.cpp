// LLVM's own routines as its runtime names them for Fortran: with an underscore and by reference. flang calls
// the names of C; these are reached by programs that declare them themselves.
#include "abi/kmpc/kmpc.hpp"

using Mask = void*;  // an opaque handle: abi/kmpc/affinity_mask.cpp

// Defined in user.cpp, affinity_mask.cpp and memory.cpp.
HEDDLE_EXPORT int kmp_get_stacksize();
HEDDLE_EXPORT std::size_t kmp_get_stacksize_s();
HEDDLE_EXPORT int kmp_get_blocktime();
HEDDLE_EXPORT int kmp_get_library();
HEDDLE_EXPORT int kmp_get_num_known_threads();
HEDDLE_EXPORT int kmp_get_cancellation_status(int construct);
HEDDLE_EXPORT void kmp_set_stacksize(int bytes);
HEDDLE_EXPORT void kmp_set_stacksize_s(std::size_t bytes);
HEDDLE_EXPORT void kmp_set_blocktime(int ms);
HEDDLE_EXPORT void kmp_set_library(int wanted);
HEDDLE_EXPORT void kmp_set_library_serial();
HEDDLE_EXPORT void kmp_set_library_turnaround();
HEDDLE_EXPORT void kmp_set_library_throughput();
HEDDLE_EXPORT void kmp_set_defaults(const char* text);
HEDDLE_EXPORT void kmp_set_disp_num_buffers(int count);
HEDDLE_EXPORT void kmp_set_warnings_on();
HEDDLE_EXPORT void kmp_set_warnings_off();
HEDDLE_EXPORT void kmp_create_affinity_mask(Mask* mask);
HEDDLE_EXPORT void kmp_destroy_affinity_mask(Mask* mask);
HEDDLE_EXPORT int kmp_get_affinity_max_proc();
HEDDLE_EXPORT int kmp_set_affinity(Mask* mask);
HEDDLE_EXPORT int kmp_get_affinity(Mask* mask);
HEDDLE_EXPORT int kmp_set_affinity_mask_proc(int number, Mask* mask);
HEDDLE_EXPORT int kmp_unset_affinity_mask_proc(int number, Mask* mask);
HEDDLE_EXPORT int kmp_get_affinity_mask_proc(int number, Mask* mask);
HEDDLE_EXPORT void* kmp_malloc(std::size_t bytes);
HEDDLE_EXPORT void* kmp_aligned_malloc(std::size_t bytes, std::size_t alignment);
HEDDLE_EXPORT void* kmp_calloc(std::size_t count, std::size_t bytes);
HEDDLE_EXPORT void* kmp_realloc(void* block, std::size_t bytes);
HEDDLE_EXPORT void kmp_free(void* block);

#define HEDDLE_PLAIN(type, name) \
  HEDDLE_EXPORT type name##_() { \
    return name();               \
  }
#define HEDDLE_OF_REFERENCE(type, name, Argument)        \
  HEDDLE_EXPORT type name##_(const Argument* argument) { \
    return name(*argument);                              \
  }
#define HEDDLE_OF_MASK(type, name)         \
  HEDDLE_EXPORT type name##_(Mask* mask) { \
    return name(mask);                     \
  }
#define HEDDLE_OF_NUMBER_AND_MASK(name)                      \
  HEDDLE_EXPORT int name##_(const int* number, Mask* mask) { \
    return name(*number, mask);                              \
  }

HEDDLE_PLAIN(int, kmp_get_stacksize)
HEDDLE_PLAIN(std::size_t, kmp_get_stacksize_s)
HEDDLE_PLAIN(int, kmp_get_blocktime)
HEDDLE_PLAIN(int, kmp_get_library)
HEDDLE_PLAIN(int, kmp_get_num_known_threads)
HEDDLE_PLAIN(int, kmp_get_affinity_max_proc)
HEDDLE_PLAIN(void, kmp_set_library_serial)
HEDDLE_PLAIN(void, kmp_set_library_turnaround)
HEDDLE_PLAIN(void, kmp_set_library_throughput)
HEDDLE_PLAIN(void, kmp_set_warnings_on)
HEDDLE_PLAIN(void, kmp_set_warnings_off)
HEDDLE_OF_REFERENCE(int, kmp_get_cancellation_status, int)
HEDDLE_OF_REFERENCE(void, kmp_set_stacksize, int)
HEDDLE_OF_REFERENCE(void, kmp_set_stacksize_s, std::size_t)
HEDDLE_OF_REFERENCE(void, kmp_set_blocktime, int)
HEDDLE_OF_REFERENCE(void, kmp_set_library, int)
HEDDLE_OF_REFERENCE(void, kmp_set_disp_num_buffers, int)
HEDDLE_OF_MASK(void, kmp_create_affinity_mask)
HEDDLE_OF_MASK(void, kmp_destroy_affinity_mask)
HEDDLE_OF_MASK(int, kmp_set_affinity)
HEDDLE_OF_MASK(int, kmp_get_affinity)
HEDDLE_OF_NUMBER_AND_MASK(kmp_set_affinity_mask_proc)
HEDDLE_OF_NUMBER_AND_MASK(kmp_unset_affinity_mask_proc)
HEDDLE_OF_NUMBER_AND_MASK(kmp_get_affinity_mask_proc)
HEDDLE_OF_REFERENCE(void*, kmp_malloc, std::size_t)

HEDDLE_EXPORT void kmp_set_defaults_(const char* text) {
  kmp_set_defaults(text);
}
HEDDLE_EXPORT void* kmp_aligned_malloc_(const std::size_t* bytes, const std::size_t* alignment) {
  return kmp_aligned_malloc(*bytes, *alignment);
}
HEDDLE_EXPORT void* kmp_calloc_(const std::size_t* count, const std::size_t* bytes) {
  return kmp_calloc(*count, *bytes);
}
HEDDLE_EXPORT void* kmp_realloc_(void* const* block, const std::size_t* bytes) {
  return kmp_realloc(*block, *bytes);
}
HEDDLE_EXPORT void kmp_free_(void* const* block) {
  kmp_free(*block);
}
