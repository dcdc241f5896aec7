// The omp_* functions stand twice in the library: under libgomp's version nodes, for what GCC built, and
// under LLVM's single node, for what Clang built. symbols.map says which node the first is; it reaches us as
// HEDDLE_NODE_name.
#pragma once

#include "abi/export.hpp"
#include "omp_nodes.inc"

// An alias becomes name@VERSION; the function itself becomes name@@node ("@@@": and its bare name goes).
#define HEDDLE_OMP_VERSIONS(name)                                                        \
  extern "C" [[gnu::visibility("default"), gnu::alias(#name)]] decltype(name) name##__v; \
  __asm__(".symver " #name "__v," #name "@VERSION, remove");                             \
  __asm__(".symver " #name "," #name "@@@" HEDDLE_NODE_##name)

// The same where programs of Clang get a function of their own.
#define HEDDLE_OMP_VERSIONS_DIFFER(name, of_clang)            \
  __asm__(".symver " #of_clang "," #name "@VERSION, remove"); \
  __asm__(".symver " #name "," #name "@@@" HEDDLE_NODE_##name)

// The same where a program that names no version gets a third one: it is linked with this library by its
// name.
#define HEDDLE_OMP_VERSIONS_OF_EACH(name, of_gcc, of_clang)                \
  __asm__(".symver " #of_clang "," #name "@VERSION, remove");              \
  __asm__(".symver " #of_gcc "," #name "@" HEDDLE_NODE_##name ", remove"); \
  __asm__(".symver " #name "," #name "@@@HEDDLE_0.1")
