// Atomic updates of fixed-point variables: Clang's entry points.
#include "abi/kmpc/atomic.hpp"

using namespace heddle::kmpc;

#define HEDDLE_ATOMIC_SIGNED(bytes, T)                                                           \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, add, T, Add)                                             \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, mul, T, Multiply)                                        \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, andb, T, BitAnd)                                         \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, orb, T, BitOr)                                           \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, xor, T, BitXor)                                          \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, andl, T, LogicalAnd)                                     \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, orl, T, LogicalOr)                                       \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, eqv, T, Equivalent)                                      \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, neqv, T, BitXor)                                         \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, min, T, Least)                                           \
  HEDDLE_ATOMIC_OPERATION(fixed##bytes, max, T, Greatest)                                        \
  HEDDLE_ATOMIC_REVERSIBLE(fixed##bytes, sub, T, Subtract)                                       \
  HEDDLE_ATOMIC_REVERSIBLE(fixed##bytes, div, T, Divide)                                         \
  HEDDLE_ATOMIC_REVERSIBLE(fixed##bytes, shl, T, ShiftLeft)                                      \
  HEDDLE_ATOMIC_REVERSIBLE(fixed##bytes, shr, T, ShiftRight)                                     \
  HEDDLE_ATOMIC_ACCESS(fixed##bytes, T)                                                          \
  HEDDLE_ATOMIC_SWAP(fixed##bytes, T)                                                            \
  HEDDLE_ATOMIC_CHANGE(fixed##bytes, _mul_float8, T, Float8, static_cast<Float8>(old) * operand) \
  HEDDLE_ATOMIC_CHANGE(fixed##bytes, _div_float8, T, Float8, static_cast<Float8>(old) / operand)

// Division and right shift are all that differs.
#define HEDDLE_ATOMIC_UNSIGNED(bytes, T)                    \
  HEDDLE_ATOMIC_REVERSIBLE(fixed##bytes##u, div, T, Divide) \
  HEDDLE_ATOMIC_REVERSIBLE(fixed##bytes##u, shr, T, ShiftRight)

HEDDLE_ATOMIC_SIGNED(1, std::int8_t)
HEDDLE_ATOMIC_SIGNED(2, std::int16_t)
HEDDLE_ATOMIC_SIGNED(4, std::int32_t)
HEDDLE_ATOMIC_SIGNED(8, std::int64_t)
HEDDLE_ATOMIC_UNSIGNED(1, std::uint8_t)
HEDDLE_ATOMIC_UNSIGNED(2, std::uint16_t)
HEDDLE_ATOMIC_UNSIGNED(4, std::uint32_t)
HEDDLE_ATOMIC_UNSIGNED(8, std::uint64_t)
