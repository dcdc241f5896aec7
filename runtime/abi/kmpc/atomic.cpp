// Atomic updates: Clang's entry points. First those of fixed-point variables.
#include "abi/kmpc/atomic.hpp"

#include <array>
#include <cstddef>

using namespace heddle::kmpc;
using namespace heddle;

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

// -- Atomic updates of floating-point and complex variables: Clang's entry points.

#define HEDDLE_ATOMIC_FLOAT(bytes, T)                      \
  HEDDLE_ATOMIC_OPERATION(float##bytes, add, T, Add)       \
  HEDDLE_ATOMIC_OPERATION(float##bytes, mul, T, Multiply)  \
  HEDDLE_ATOMIC_OPERATION(float##bytes, min, T, Least)     \
  HEDDLE_ATOMIC_OPERATION(float##bytes, max, T, Greatest)  \
  HEDDLE_ATOMIC_REVERSIBLE(float##bytes, sub, T, Subtract) \
  HEDDLE_ATOMIC_REVERSIBLE(float##bytes, div, T, Divide)   \
  HEDDLE_ATOMIC_ACCESS(float##bytes, T)                    \
  HEDDLE_ATOMIC_SWAP(float##bytes, T)

HEDDLE_ATOMIC_FLOAT(4, Float4)
HEDDLE_ATOMIC_FLOAT(8, Float8)
HEDDLE_ATOMIC_FLOAT(10, Float10)

HEDDLE_ATOMIC_CHANGE(float4, _add_float8, Float4, Float8, static_cast<Float8>(old) + operand)
HEDDLE_ATOMIC_CHANGE(float4, _sub_float8, Float4, Float8, static_cast<Float8>(old) - operand)
HEDDLE_ATOMIC_CHANGE(float4, _mul_float8, Float4, Float8, static_cast<Float8>(old) * operand)
HEDDLE_ATOMIC_CHANGE(float4, _div_float8, Float4, Float8, static_cast<Float8>(old) / operand)

#define HEDDLE_ATOMIC_COMPLEX(bytes, T)                    \
  HEDDLE_ATOMIC_OPERATION(cmplx##bytes, add, T, Add)       \
  HEDDLE_ATOMIC_OPERATION(cmplx##bytes, mul, T, Multiply)  \
  HEDDLE_ATOMIC_REVERSIBLE(cmplx##bytes, sub, T, Subtract) \
  HEDDLE_ATOMIC_REVERSIBLE(cmplx##bytes, div, T, Divide)   \
  HEDDLE_ATOMIC_ACCESS(cmplx##bytes, T)                    \
  HEDDLE_ATOMIC_SWAP(cmplx##bytes, T)

HEDDLE_ATOMIC_COMPLEX(8, Complex8)
HEDDLE_ATOMIC_COMPLEX(10, Complex10)

// The captures of the smallest complex type leave their result in *result.
#define HEDDLE_ATOMIC_COMPLEX4_CAPTURE(suffix, expression)                                         \
  HEDDLE_EXPORT void __kmpc_atomic_cmplx4##suffix(Ident*, Gtid, Complex4* where, Complex4 operand, \
                                                  Complex4* result, int is_new) {                  \
    const auto changed = change_atomically(where, [operand](Complex4 old) { return expression; }); \
    *result = is_new != 0 ? changed.after : changed.before;                                        \
  }
#define HEDDLE_ATOMIC_COMPLEX4(op, Operation)                                        \
  HEDDLE_ATOMIC_CHANGE(cmplx4, _##op, Complex4, Complex4, Operation{}(old, operand)) \
  HEDDLE_ATOMIC_CHANGE(cmplx4, _##op##_cmplx8, Complex4, Complex8,                   \
                       Operation{}(static_cast<Complex8>(old), operand))             \
  HEDDLE_ATOMIC_COMPLEX4_CAPTURE(_##op##_cpt, Operation{}(old, operand))
#define HEDDLE_ATOMIC_COMPLEX4_REVERSED(op, Operation)                                     \
  HEDDLE_ATOMIC_CHANGE(cmplx4, _##op##_rev, Complex4, Complex4, Operation{}(operand, old)) \
  HEDDLE_ATOMIC_COMPLEX4_CAPTURE(_##op##_cpt_rev, Operation{}(operand, old))

HEDDLE_ATOMIC_COMPLEX4(add, Add)
HEDDLE_ATOMIC_COMPLEX4(sub, Subtract)
HEDDLE_ATOMIC_COMPLEX4(mul, Multiply)
HEDDLE_ATOMIC_COMPLEX4(div, Divide)
HEDDLE_ATOMIC_COMPLEX4_REVERSED(sub, Subtract)
HEDDLE_ATOMIC_COMPLEX4_REVERSED(div, Divide)
HEDDLE_ATOMIC_ACCESS(cmplx4, Complex4)
HEDDLE_EXPORT void __kmpc_atomic_cmplx4_swp(Ident*, Gtid, Complex4* where, Complex4 value, Complex4* result) {
  *result = change_atomically(where, [value](Complex4) { return value; }).before;
}

// -- Atomic updates of quad-precision variables, and of others by a quad-precision operand (_fp): Intel's
// entry points, for compilers whose real(16) and _Quad are IEEE's binary128 in a vector register.

#if defined(__x86_64__)

namespace {

__extension__ using Quad = __float128;
__extension__ typedef float _Complex ComplexQuad __attribute__((mode(TC)));

}  // namespace

HEDDLE_ATOMIC_OPERATION(float16, add, Quad, Add)
HEDDLE_ATOMIC_OPERATION(float16, mul, Quad, Multiply)
HEDDLE_ATOMIC_OPERATION(float16, min, Quad, Least)
HEDDLE_ATOMIC_OPERATION(float16, max, Quad, Greatest)
HEDDLE_ATOMIC_REVERSIBLE(float16, sub, Quad, Subtract)
HEDDLE_ATOMIC_REVERSIBLE(float16, div, Quad, Divide)
HEDDLE_ATOMIC_ACCESS(float16, Quad)
HEDDLE_ATOMIC_SWAP(float16, Quad)

HEDDLE_ATOMIC_OPERATION(cmplx16, add, ComplexQuad, Add)
HEDDLE_ATOMIC_OPERATION(cmplx16, mul, ComplexQuad, Multiply)
HEDDLE_ATOMIC_REVERSIBLE(cmplx16, sub, ComplexQuad, Subtract)
HEDDLE_ATOMIC_REVERSIBLE(cmplx16, div, ComplexQuad, Divide)
HEDDLE_ATOMIC_ACCESS(cmplx16, ComplexQuad)
HEDDLE_ATOMIC_SWAP(cmplx16, ComplexQuad)

// reversed: empty, or _rev.
#  define HEDDLE_ATOMIC_BY_QUAD(type, op, reversed, T, expression)        \
    HEDDLE_ATOMIC_CHANGE(type, _##op##reversed##_fp, T, Quad, expression) \
    HEDDLE_ATOMIC_CAPTURE(type, _##op##_cpt##reversed##_fp, T, Quad, expression)
#  define HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(type, T)                                \
    HEDDLE_ATOMIC_BY_QUAD(type, add, , T, static_cast<Quad>(old) + operand)     \
    HEDDLE_ATOMIC_BY_QUAD(type, sub, , T, static_cast<Quad>(old) - operand)     \
    HEDDLE_ATOMIC_BY_QUAD(type, mul, , T, static_cast<Quad>(old) * operand)     \
    HEDDLE_ATOMIC_BY_QUAD(type, div, , T, static_cast<Quad>(old) / operand)     \
    HEDDLE_ATOMIC_BY_QUAD(type, sub, _rev, T, operand - static_cast<Quad>(old)) \
    HEDDLE_ATOMIC_BY_QUAD(type, div, _rev, T, operand / static_cast<Quad>(old))

HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed1, std::int8_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed1u, std::uint8_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed2, std::int16_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed2u, std::uint16_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed4, std::int32_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed4u, std::uint32_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed8, std::int64_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(fixed8u, std::uint64_t)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(float4, Float4)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(float8, Float8)
HEDDLE_ATOMIC_OF_TYPE_BY_QUAD(float10, Float10)

#endif

// -- Atomic updates by an operation that the program brings along, compare and swap, and the lock behind
// updates that no instruction does: Clang's entry points.

FutexLock& heddle::kmpc::atomic_lock() {
  static FutexLock lock;
  return lock;
}

HEDDLE_EXPORT void __kmpc_atomic_start() {
  atomic_lock().lock();
}
HEDDLE_EXPORT void __kmpc_atomic_end() {
  atomic_lock().unlock();
}

// combine(result, variable, operand) computes in memory.
#define HEDDLE_ATOMIC_OF_BYTES(bytes)                                                \
  HEDDLE_EXPORT void __kmpc_atomic_##bytes(Ident*, Gtid, void* where, void* operand, \
                                           void (*combine)(void*, void*, void*)) {   \
    struct alignas(bytes & -bytes) Value {                                           \
      std::array<std::byte, bytes> content;                                          \
    };                                                                               \
    change_atomically(static_cast<Value*>(where), [&](Value old) {                   \
      Value result;                                                                  \
      combine(&result, &old, operand);                                               \
      return result;                                                                 \
    });                                                                              \
  }
HEDDLE_ATOMIC_OF_BYTES(1)
HEDDLE_ATOMIC_OF_BYTES(2)
HEDDLE_ATOMIC_OF_BYTES(4)
HEDDLE_ATOMIC_OF_BYTES(8)
HEDDLE_ATOMIC_OF_BYTES(10)
HEDDLE_ATOMIC_OF_BYTES(16)
HEDDLE_ATOMIC_OF_BYTES(20)
HEDDLE_ATOMIC_OF_BYTES(32)

// if (*where == expected) *where = desired. Captures: bool_ tells in *seen what was there where it failed,
// val_ what is there now.
#define HEDDLE_ATOMIC_COMPARE(bytes, T)                                                                    \
  HEDDLE_EXPORT bool __kmpc_atomic_bool_##bytes##_cas(Ident*, Gtid, T* where, T expected, T desired) {     \
    return __atomic_compare_exchange_n(where, &expected, desired, false, __ATOMIC_ACQ_REL,                 \
                                       __ATOMIC_ACQUIRE);                                                  \
  }                                                                                                        \
  HEDDLE_EXPORT T __kmpc_atomic_val_##bytes##_cas(Ident*, Gtid, T* where, T expected, T desired) {         \
    __atomic_compare_exchange_n(where, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);     \
    return expected;                                                                                       \
  }                                                                                                        \
  HEDDLE_EXPORT bool __kmpc_atomic_bool_##bytes##_cas_cpt(Ident*, Gtid, T* where, T expected, T desired,   \
                                                          T* seen) {                                       \
    const bool is_equal =                                                                                  \
        __atomic_compare_exchange_n(where, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
    if (!is_equal) *seen = expected;                                                                       \
    return is_equal;                                                                                       \
  }                                                                                                        \
  HEDDLE_EXPORT T __kmpc_atomic_val_##bytes##_cas_cpt(Ident*, Gtid, T* where, T expected, T desired,       \
                                                      T* seen) {                                           \
    const bool is_equal =                                                                                  \
        __atomic_compare_exchange_n(where, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); \
    *seen = is_equal ? desired : expected;                                                                 \
    return expected;                                                                                       \
  }
HEDDLE_ATOMIC_COMPARE(1, std::int8_t)
HEDDLE_ATOMIC_COMPARE(2, std::int16_t)
HEDDLE_ATOMIC_COMPARE(4, std::int32_t)
HEDDLE_ATOMIC_COMPARE(8, std::int64_t)
