// Entry points that exist in the compilers' own runtimes and not here yet: each says so by name and ends the
// program. The list comes from symbols.map.
#include "abi/omp/export.hpp"
#include "sys/fatal.hpp"

#define HEDDLE_NOT_YET(name)                                                       \
  HEDDLE_EXPORT void name() {                                                      \
    ::heddle::fatal("the program calls " #name                                     \
                    ", which Heddle does not support yet; run it on gnu or llvm"); \
  }

#define HEDDLE_OMP_NOT_YET(name) \
  HEDDLE_NOT_YET(name)           \
  HEDDLE_OMP_VERSIONS(name);

#include "not_yet.inc"
