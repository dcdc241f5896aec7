// Atomic updates by an operation that the program brings along, compare and swap, and the lock behind updates
// that no instruction does: Clang's entry points.
#include <array>
#include <cstddef>

#include "abi/kmpc/atomic.hpp"

using namespace heddle;
using namespace heddle::kmpc;

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
