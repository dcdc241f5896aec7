// Variables of a thread (thread_local), in code that may be continued by another thread.
//
// A compiler takes for granted that a function stays on its thread: it may compute the address of such a
// variable once, and use it again after a switch of contexts, where it is the variable of the thread that was
// left. x86-64 addresses thread-local variables by a segment register, so that there is no address to keep;
// elsewhere it begins with a register or an instruction that compilers know to yield the same value always.
// tests/unit/runtime/thread_pointers.py finds addresses that outlive a switch.
#pragma once

#include <cstddef>

namespace heddle {

/// The variable of the thread that executes this now. Requires: `variable` is thread_local, of the TLS model
/// initial-exec: all threads have it at the same distance from their thread pointers. Cost: at most one
/// instruction more than `variable`.
template <class T>
[[gnu::always_inline]] inline T& of_this_thread(T& variable) {
#if defined(__x86_64__)
  return variable;
#else
  // The distance is right whichever thread the compiler's two addresses are of.
  const std::ptrdiff_t distance =
      reinterpret_cast<char*>(&variable) - static_cast<char*>(__builtin_thread_pointer());
  char* thread_pointer;
#  if defined(__aarch64__)
  asm volatile("mrs %0, tpidr_el0" : "=r"(thread_pointer));
#  elif defined(__riscv)
  asm volatile("mv %0, tp" : "=r"(thread_pointer));
#  else
#    error "say where this processor has its thread pointer"
#  endif
  return *reinterpret_cast<T*>(thread_pointer + distance);
#endif
}

}  // namespace heddle
