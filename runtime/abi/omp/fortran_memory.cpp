// Allocators: gfortran's entry points. Its memory routines (omp_alloc …) have the names of C.
#include "abi/omp/fortran.hpp"

HEDDLE_EXPORT std::intptr_t omp_init_allocator_(const std::uintptr_t* space, const std::int32_t* count,
                                                const void* traits) {
  return static_cast<std::intptr_t>(omp_init_allocator(*space, *count, traits));
}
HEDDLE_EXPORT std::intptr_t omp_init_allocator_8_(const std::uintptr_t* space, const std::int64_t* count,
                                                  const void* traits) {
  return static_cast<std::intptr_t>(omp_init_allocator(*space, heddle::narrow(*count), traits));
}
HEDDLE_EXPORT void omp_destroy_allocator_(const std::uintptr_t* allocator) {
  omp_destroy_allocator(*allocator);
}
HEDDLE_EXPORT void omp_set_default_allocator_(const std::uintptr_t* allocator) {
  omp_set_default_allocator(*allocator);
}
HEDDLE_FORTRAN_QUERY(std::uintptr_t, omp_get_default_allocator);

HEDDLE_OMP_VERSIONS(omp_init_allocator_);
HEDDLE_OMP_VERSIONS(omp_init_allocator_8_);
HEDDLE_OMP_VERSIONS(omp_destroy_allocator_);
HEDDLE_OMP_VERSIONS(omp_set_default_allocator_);
