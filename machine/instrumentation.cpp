// What instrumented code calls for each access to memory: the functions of ThreadSanitizer's interface, which
// GCC and Clang call with -fsanitize=thread. Plain accesses follow the call; atomic ones happen in it.
#include "machine.hpp"

namespace heddle::machine {
namespace {

void record(Access kind, const volatile void* address, std::size_t bytes, const void* place) {
  const Entry entry;
  if (entry) entry->access(kind, const_cast<const void*>(address), bytes, place);
}

void record_fence(int order) {
  const Entry entry;
  if (entry && order == __ATOMIC_SEQ_CST) entry->fence();
}

// A store that all others see before the thread goes on is a locked instruction; a weaker one is a plain
// store.
Access access_of_store(int order) {
  return order == __ATOMIC_SEQ_CST ? Access::kAtomic : Access::kWrite;
}

}  // namespace
}  // namespace heddle::machine

using heddle::machine::Access;
using heddle::machine::access_of_store;
using heddle::machine::record;
using heddle::machine::record_fence;

// One thread executes at a time, and hands over in between alone: any order would do for the operations
// themselves.
#define HEDDLE_PLACE __builtin_return_address(0)
#define HEDDLE_PLAIN(bytes)                                    \
  void __tsan_read##bytes(void* address) {                     \
    record(Access::kRead, address, bytes, HEDDLE_PLACE);       \
  }                                                            \
  void __tsan_write##bytes(void* address) {                    \
    record(Access::kWrite, address, bytes, HEDDLE_PLACE);      \
  }                                                            \
  void __tsan_unaligned_read##bytes(void* address) {           \
    record(Access::kRead, address, bytes, HEDDLE_PLACE);       \
  }                                                            \
  void __tsan_unaligned_write##bytes(void* address) {          \
    record(Access::kWrite, address, bytes, HEDDLE_PLACE);      \
  }                                                            \
  void __tsan_volatile_read##bytes(void* address) {            \
    record(Access::kRead, address, bytes, HEDDLE_PLACE);       \
  }                                                            \
  void __tsan_volatile_write##bytes(void* address) {           \
    record(Access::kWrite, address, bytes, HEDDLE_PLACE);      \
  }                                                            \
  void __tsan_unaligned_volatile_read##bytes(void* address) {  \
    record(Access::kRead, address, bytes, HEDDLE_PLACE);       \
  }                                                            \
  void __tsan_unaligned_volatile_write##bytes(void* address) { \
    record(Access::kWrite, address, bytes, HEDDLE_PLACE);      \
  }                                                            \
  void __tsan_read_write##bytes(void* address) {               \
    record(Access::kWrite, address, bytes, HEDDLE_PLACE);      \
  }                                                            \
  void __tsan_unaligned_read_write##bytes(void* address) {     \
    record(Access::kWrite, address, bytes, HEDDLE_PLACE);      \
  }

#define HEDDLE_MODIFY(bits, type, name)                                        \
  type __tsan_atomic##bits##_##name(volatile type* address, type value, int) { \
    record(Access::kAtomic, address, sizeof(type), HEDDLE_PLACE);              \
    return __atomic_##name(address, value, __ATOMIC_SEQ_CST);                  \
  }
#define HEDDLE_COMPARE(bits, type, strength, is_weak)                                                       \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type* address, type* expected, type value, \
                                                        int, int) {                                         \
    record(Access::kAtomic, address, sizeof(type), HEDDLE_PLACE);                                           \
    return __atomic_compare_exchange_n(address, expected, value, is_weak, __ATOMIC_SEQ_CST,                 \
                                       __ATOMIC_SEQ_CST);                                                   \
  }
#define HEDDLE_ATOMIC(bits, type)                                                                         \
  type __tsan_atomic##bits##_load(const volatile type* address, int) {                                    \
    record(Access::kRead, address, sizeof(type), HEDDLE_PLACE);                                           \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                    \
  }                                                                                                       \
  void __tsan_atomic##bits##_store(volatile type* address, type value, int order) {                       \
    record(access_of_store(order), address, sizeof(type), HEDDLE_PLACE);                                  \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                       \
  type __tsan_atomic##bits##_exchange(volatile type* address, type value, int) {                          \
    record(Access::kAtomic, address, sizeof(type), HEDDLE_PLACE);                                         \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                         \
  }                                                                                                       \
  HEDDLE_MODIFY(bits, type, fetch_add)                                                                    \
  HEDDLE_MODIFY(bits, type, fetch_sub)                                                                    \
  HEDDLE_MODIFY(bits, type, fetch_and)                                                                    \
  HEDDLE_MODIFY(bits, type, fetch_or)                                                                     \
  HEDDLE_MODIFY(bits, type, fetch_xor)                                                                    \
  HEDDLE_MODIFY(bits, type, fetch_nand)                                                                   \
  HEDDLE_COMPARE(bits, type, strong, false)                                                               \
  HEDDLE_COMPARE(bits, type, weak, true)                                                                  \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* address, type expected, type value, int, \
                                                  int) {                                                  \
    record(Access::kAtomic, address, sizeof(type), HEDDLE_PLACE);                                         \
    __atomic_compare_exchange_n(address, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    return expected;                                                                                      \
  }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

HEDDLE_PLAIN(1)
HEDDLE_PLAIN(2)
HEDDLE_PLAIN(4)
HEDDLE_PLAIN(8)
HEDDLE_PLAIN(16)

void __tsan_vptr_read(void** address) {
  record(Access::kRead, address, sizeof(void*), HEDDLE_PLACE);
}
void __tsan_vptr_update(void** address, void*) {
  record(Access::kWrite, address, sizeof(void*), HEDDLE_PLACE);
}
void __tsan_read_range(void* address, unsigned long bytes) {
  if (bytes != 0) record(Access::kRead, address, bytes, HEDDLE_PLACE);
}
void __tsan_write_range(void* address, unsigned long bytes) {
  if (bytes != 0) record(Access::kWrite, address, bytes, HEDDLE_PLACE);
}

HEDDLE_ATOMIC(8, unsigned char)
HEDDLE_ATOMIC(16, unsigned short)
HEDDLE_ATOMIC(32, unsigned)
HEDDLE_ATOMIC(64, unsigned long)

void __tsan_atomic_thread_fence(int order) {
  record_fence(order);
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
