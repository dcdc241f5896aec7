// Atomic updates that Clang leaves to the runtime: the types, the operations, and the change of a variable in
// one step.
//
// Words: a *change* is a function from a variable's old value to its new one; it may be called several times.
// Up to 8 bytes a change is a compare-and-swap, so that it agrees with atomics the compiler does inline;
// beyond, all changes and __kmpc_atomic_start share one lock.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "abi/kmpc/kmpc.hpp"
#include "sync/futex_lock.hpp"

namespace heddle::kmpc {

using Float4 = float;
using Float8 = double;
using Float10 = long double;
__extension__ using Complex4 = float _Complex;
__extension__ using Complex8 = double _Complex;
__extension__ using Complex10 = long double _Complex;

/// Guards variables that no instruction changes in one step.
FutexLock& atomic_lock();

template <std::size_t bytes>
using WordOf =
    std::conditional_t<bytes == 1, std::uint8_t,
                       std::conditional_t<bytes == 2, std::uint16_t,
                                          std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
struct Changed {
  T before;
  T after;
};

template <class To, class From>
To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

/// Replaces *where by change(*where) in one step.
/// Ordering: acquire and release; the program asks for more with flushes of its own.
template <class T, class Change>
Changed<T> change_atomically(T* where, Change&& change) {
  if constexpr (sizeof(T) <= 8) {
    using Word = WordOf<sizeof(T)>;
    using AliasedWord [[gnu::may_alias]] = Word;
    auto* const word = reinterpret_cast<AliasedWord*>(where);
    Word before = __atomic_load_n(word, __ATOMIC_RELAXED);
    for (;;) {
      const T old = same_bits<T>(before);
      const T next = change(old);
      if (__atomic_compare_exchange_n(word, &before, same_bits<Word>(next), true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED))
        return {old, next};
    }
  } else {
    const std::lock_guard guard(atomic_lock());
    const T old = *where;
    *where = change(old);
    return {old, *where};
  }
}

// -- operations: result(old value, operand). Fixed-point arithmetic wraps around, as the processor's does.

template <class T>
constexpr bool kIsFixed = std::is_integral_v<T>;

template <class T>
using Unsigned = std::make_unsigned_t<T>;

#define HEDDLE_WRAPPING_OPERATION(Name, op)                                                            \
  struct Name {                                                                                        \
    template <class T>                                                                                 \
    T operator()(T a, T b) const {                                                                     \
      if constexpr (kIsFixed<T>)                                                                       \
        return static_cast<T>(                                                                         \
            std::uint64_t{static_cast<Unsigned<T>>(a)} op std::uint64_t{static_cast<Unsigned<T>>(b)}); \
      else                                                                                             \
        return a op b;                                                                                 \
    }                                                                                                  \
  };
HEDDLE_WRAPPING_OPERATION(Add, +)
HEDDLE_WRAPPING_OPERATION(Subtract, -)
HEDDLE_WRAPPING_OPERATION(Multiply, *)

#define HEDDLE_PLAIN_OPERATION(Name, expression) \
  struct Name {                                  \
    template <class T>                           \
    T operator()(T a, T b) const {               \
      return static_cast<T>(expression);         \
    }                                            \
  };
HEDDLE_PLAIN_OPERATION(Divide, a / b)
HEDDLE_PLAIN_OPERATION(BitAnd, a& b)
HEDDLE_PLAIN_OPERATION(BitOr, a | b)
HEDDLE_PLAIN_OPERATION(BitXor, a ^ b)
HEDDLE_PLAIN_OPERATION(ShiftLeft, std::uint64_t{static_cast<Unsigned<T>>(a)} << b)
HEDDLE_PLAIN_OPERATION(ShiftRight, a >> b)
HEDDLE_PLAIN_OPERATION(LogicalAnd, a != 0 && b != 0)
HEDDLE_PLAIN_OPERATION(LogicalOr, a != 0 || b != 0)
HEDDLE_PLAIN_OPERATION(Equivalent, ~(a ^ b))
HEDDLE_PLAIN_OPERATION(Least, b < a ? b : a)
HEDDLE_PLAIN_OPERATION(Greatest, a < b ? b : a)

}  // namespace heddle::kmpc

// -- entry points. Captures return the new value where `is_new`, the old one otherwise; the reversed ones
// compute operand op variable.

#define HEDDLE_ATOMIC_CHANGE(name, suffix, T, Operand, expression)                           \
  HEDDLE_EXPORT void __kmpc_atomic_##name##suffix(Ident*, Gtid, T* where, Operand operand) { \
    change_atomically(where, [operand](T old) { return static_cast<T>(expression); });       \
  }
#define HEDDLE_ATOMIC_CAPTURE(name, suffix, T, Operand, expression)                                         \
  HEDDLE_EXPORT T __kmpc_atomic_##name##suffix(Ident*, Gtid, T* where, Operand operand, int is_new) {       \
    const auto changed = change_atomically(where, [operand](T old) { return static_cast<T>(expression); }); \
    return is_new != 0 ? changed.after : changed.before;                                                    \
  }

#define HEDDLE_ATOMIC_OPERATION(type, op, T, Operation)              \
  HEDDLE_ATOMIC_CHANGE(type, _##op, T, T, Operation{}(old, operand)) \
  HEDDLE_ATOMIC_CAPTURE(type, _##op##_cpt, T, T, Operation{}(old, operand))

#define HEDDLE_ATOMIC_REVERSIBLE(type, op, T, Operation)                   \
  HEDDLE_ATOMIC_OPERATION(type, op, T, Operation)                          \
  HEDDLE_ATOMIC_CHANGE(type, _##op##_rev, T, T, Operation{}(operand, old)) \
  HEDDLE_ATOMIC_CAPTURE(type, _##op##_cpt_rev, T, T, Operation{}(operand, old))

#define HEDDLE_ATOMIC_ACCESS(type, T)                                             \
  HEDDLE_EXPORT T __kmpc_atomic_##type##_rd(Ident*, Gtid, T* where) {             \
    return change_atomically(where, [](T old) { return old; }).before;            \
  }                                                                               \
  HEDDLE_EXPORT void __kmpc_atomic_##type##_wr(Ident*, Gtid, T* where, T value) { \
    change_atomically(where, [value](T) { return value; });                       \
  }
#define HEDDLE_ATOMIC_SWAP(type, T)                                             \
  HEDDLE_EXPORT T __kmpc_atomic_##type##_swp(Ident*, Gtid, T* where, T value) { \
    return change_atomically(where, [value](T) { return value; }).before;       \
  }
