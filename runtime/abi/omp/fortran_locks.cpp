// Locks: gfortran's entry points. Its omp_lock_kind is 4 bytes and its omp_nest_lock_kind 8, into which the
// locks for C fit as they are.
#include "abi/omp/fortran.hpp"

namespace {

using FortranLock = std::int32_t;
using FortranNestLock = std::int64_t;

}  // namespace

HEDDLE_EXPORT void omp_init_lock_(FortranLock* lock) {
  omp_init_lock(lock);
}
HEDDLE_EXPORT void omp_init_lock_with_hint_(FortranLock* lock, const std::int32_t* hint) {
  omp_init_lock_with_hint(lock, *hint);
}
HEDDLE_EXPORT void omp_destroy_lock_(FortranLock* lock) {
  omp_destroy_lock(lock);
}
HEDDLE_EXPORT void omp_set_lock_(FortranLock* lock) {
  omp_set_lock(lock);
}
HEDDLE_EXPORT void omp_unset_lock_(FortranLock* lock) {
  omp_unset_lock(lock);
}
HEDDLE_EXPORT std::int32_t omp_test_lock_(FortranLock* lock) {
  return omp_test_lock(lock);
}

HEDDLE_EXPORT void omp_init_nest_lock_(FortranNestLock* lock) {
  omp_init_nest_lock(lock);
}
HEDDLE_EXPORT void omp_init_nest_lock_with_hint_(FortranNestLock* lock, const std::int32_t* hint) {
  omp_init_nest_lock_with_hint(lock, *hint);
}
HEDDLE_EXPORT void omp_destroy_nest_lock_(FortranNestLock* lock) {
  omp_destroy_nest_lock(lock);
}
HEDDLE_EXPORT void omp_set_nest_lock_(FortranNestLock* lock) {
  omp_set_nest_lock(lock);
}
HEDDLE_EXPORT void omp_unset_nest_lock_(FortranNestLock* lock) {
  omp_unset_nest_lock(lock);
}
HEDDLE_EXPORT std::int32_t omp_test_nest_lock_(FortranNestLock* lock) {
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
