#include "context.hpp"

#include <linux/futex.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

namespace heddle::machine {
namespace {

long futex(std::uint32_t* word, int operation, std::uint32_t value) {
#if defined(__x86_64__)
  long result;
  register long timeout asm("r10") = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_futex), "D"(word), "S"(operation), "d"(value), "r"(timeout)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long number asm("x8") = SYS_futex;
  register long first asm("x0") = reinterpret_cast<long>(word);
  register long second asm("x1") = operation;
  register long third asm("x2") = value;
  register long fourth asm("x3") = 0;
  asm volatile("svc 0" : "+r"(first) : "r"(number), "r"(second), "r"(third), "r"(fourth) : "memory");
  return first;
#endif
}

void set_thread_pointer(void* pointer) {
#if defined(__x86_64__)
  static const bool has_instruction = (getauxval(AT_HWCAP2) & 2) != 0;  // the kernel lets programs use it
  if (has_instruction) {
    asm volatile("wrfsbase %0" : : "r"(pointer) : "memory");
    return;
  }
  constexpr long kSetFs = 0x1002;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_arch_prctl), "D"(kSetFs), "S"(pointer)
               : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  asm volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
#endif
}

}  // namespace

void* thread_pointer() {
#if defined(__x86_64__)
  void* pointer;
  asm("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
#elif defined(__aarch64__)
  void* pointer;
  asm("mrs %0, tpidr_el0" : "=r"(pointer));
  return pointer;
#endif
}

void make_context(Context& context, void* top, void (*entry)(boost::context::detail::transfer_t)) {
  context.thread_pointer = thread_pointer();
  context.point = boost::context::detail::make_fcontext(top, 0, entry);  // it has no use for the size
}

void arrive(boost::context::detail::transfer_t from) {
  static_cast<Context*>(from.data)->point = from.fctx;
}

// Not inlined: its caller knows where things local to its thread are, and these stay so.
[[gnu::noinline]] void switch_context(Context& from, Context& to) {
  set_thread_pointer(to.thread_pointer);
  arrive(boost::context::detail::jump_fcontext(to.point, &from));
}

void Turn::give() {
  __atomic_store_n(&given_, 1, __ATOMIC_RELEASE);  // with wait()
  futex(&given_, FUTEX_WAKE_PRIVATE, 1);
}

void Turn::wait() {
  while (__atomic_load_n(&given_, __ATOMIC_ACQUIRE) == 0)  // with give()
    futex(&given_, FUTEX_WAIT_PRIVATE, 0);
  given_ = 0;
}

}  // namespace heddle::machine
