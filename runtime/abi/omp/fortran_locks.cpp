// Locks: gfortran's entry points. Its omp_lock_kind is 4 bytes and its omp_nest_lock_kind 8, into which the
// locks for C fit as they are.
#include "abi/omp/fortran.hpp"

namespace {

using Lock = std::int32_t;
using NestLock = std::int64_t;

}  // namespace

HEDDLE_EXPORT void omp_init_lock_(Lock* lock) {
  omp_init_lock(lock);
}
HEDDLE_EXPORT void omp_init_lock_with_hint_(Lock* lock, const std::int32_t* hint) {
  omp_init_lock_with_hint(lock, *hint);
}
HEDDLE_EXPORT void omp_destroy_lock_(Lock* lock) {
  omp_destroy_lock(lock);
}
HEDDLE_EXPORT void omp_set_lock_(Lock* lock) {
  omp_set_lock(lock);
}
HEDDLE_EXPORT void omp_unset_lock_(Lock* lock) {
  omp_unset_lock(lock);
}
HEDDLE_EXPORT std::int32_t omp_test_lock_(Lock* lock) {
  return omp_test_lock(lock);
}

HEDDLE_EXPORT void omp_init_nest_lock_(NestLock* lock) {
  omp_init_nest_lock(lock);
}
HEDDLE_EXPORT void omp_init_nest_lock_with_hint_(NestLock* lock, const std::int32_t* hint) {
  omp_init_nest_lock_with_hint(lock, *hint);
}
HEDDLE_EXPORT void omp_destroy_nest_lock_(NestLock* lock) {
  omp_destroy_nest_lock(lock);
}
HEDDLE_EXPORT void omp_set_nest_lock_(NestLock* lock) {
  omp_set_nest_lock(lock);
}
HEDDLE_EXPORT void omp_unset_nest_lock_(NestLock* lock) {
  omp_unset_nest_lock(lock);
}
HEDDLE_EXPORT std::int32_t omp_test_nest_lock_(NestLock* lock) {
  return omp_test_nest_lock(lock);
}

HEDDLE_OMP_VERSIONS(omp_init_lock_);
HEDDLE_OMP_VERSIONS(omp_destroy_lock_);
HEDDLE_OMP_VERSIONS(omp_set_lock_);
HEDDLE_OMP_VERSIONS(omp_unset_lock_);
HEDDLE_OMP_VERSIONS(omp_test_lock_);
HEDDLE_OMP_VERSIONS(omp_init_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_destroy_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_set_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_unset_nest_lock_);
HEDDLE_OMP_VERSIONS(omp_test_nest_lock_);
