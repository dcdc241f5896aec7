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

// GCC's entry points once more under LLVM's version node: objects of GCC that were linked with LLVM's runtime
// (by Clang, or with -lomp or -liomp5) ask for GOMP_parallel@VERSION and the like. The list comes from
// symbols.map.
//
// Each is a jump to the function of that name, whatever its arguments: an alias would have to stand beside
// its function's definition.
#if defined(__x86_64__)
#  define HEDDLE_JUMP "jmp "
#elif defined(__aarch64__)
#  define HEDDLE_JUMP "b "
#elif defined(__riscv)
#  define HEDDLE_JUMP "tail "
#else
#  error "say how this processor jumps"
#endif

#define HEDDLE_GOMP_NAME(name)                                                                          \
  __asm__(".text\n.globl " #name "__v\n.type " #name "__v, %function\n" #name "__v: " HEDDLE_JUMP #name \
          "\n.size " #name "__v, .-" #name "__v\n.symver " #name "__v, " #name "@VERSION, remove");

#include "gomp_names.inc"
