// Atomic updates of quad-precision variables, and of others by a quad-precision operand (_fp): Intel's entry
// points, for compilers whose real(16) and _Quad are IEEE's binary128 in a vector register.
#include "abi/kmpc/atomic.hpp"

#if defined(__x86_64__)

using namespace heddle::kmpc;

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
