// Atomic updates of floating-point and complex variables: Clang's entry points.
#include "abi/kmpc/atomic.hpp"

using namespace heddle::kmpc;

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
