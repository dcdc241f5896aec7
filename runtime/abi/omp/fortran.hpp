// How gfortran calls the routines: a name with an underscore behind it, arguments by reference. Each forwards
// to the routine for C.
//
// Words: a *wide* entry point, name_8_, takes integer(8) or logical(8) where the plain one takes the default
// kind. flang calls the names of C. Source: the interfaces in gfortran's omp_lib.f90.
#pragma once

#include <algorithm>
#include <cstdint>

#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"

namespace heddle {

/// An integer(8) as the int that the routine for C takes: what does not fit becomes the nearest that does.
inline int narrow(std::int64_t value) {
  return static_cast<int>(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
}

}  // namespace heddle

/// A function without arguments. Logical results are 0 and 1, as gfortran has them.
#define HEDDLE_FORTRAN_QUERY(type, name) \
  HEDDLE_EXPORT type name##_() {         \
    return name();                       \
  }                                      \
  HEDDLE_OMP_VERSIONS(name##_)

/// A routine of one integer, narrow and wide.
#define HEDDLE_FORTRAN_OF_INTEGER(type, name)               \
  HEDDLE_EXPORT type name##_(const std::int32_t* value) {   \
    return name(*value);                                    \
  }                                                         \
  HEDDLE_EXPORT type name##_8_(const std::int64_t* value) { \
    return name(heddle::narrow(*value));                    \
  }                                                         \
  HEDDLE_OMP_VERSIONS(name##_);                             \
  HEDDLE_OMP_VERSIONS(name##_8_)

/// A subroutine of one logical, narrow and wide.
#define HEDDLE_FORTRAN_OF_LOGICAL(name)                     \
  HEDDLE_EXPORT void name##_(const std::int32_t* value) {   \
    name(*value != 0);                                      \
  }                                                         \
  HEDDLE_EXPORT void name##_8_(const std::int64_t* value) { \
    name(*value != 0);                                      \
  }                                                         \
  HEDDLE_OMP_VERSIONS(name##_);                             \
  HEDDLE_OMP_VERSIONS(name##_8_)
