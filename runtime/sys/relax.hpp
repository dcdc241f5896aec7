// What a spinning thread does between two looks.
#pragma once

#include <sched.h>

namespace heddle {

inline void cpu_relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

inline void yield_cpu() {
  sched_yield();
}

}  // namespace heddle
