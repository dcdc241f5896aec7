// A sequentially consistent fence in two halves of unequal cost, for pairs of threads of which one passes
// often and the other seldom.
//
// Each side stores something, passes its half, and then loads what the other stores: at least one of them
// sees the other's store. The light half is a compiler barrier where the system can make every running
// thread of the process execute a fence (membarrier), and a fence where it cannot.
#pragma once

#include <atomic>

namespace heddle {

/// Set before main and never changed: the heavy half reaches the other threads.
extern const bool g_fences_are_asymmetric;

inline void full_fence() {
#if defined(__x86_64__)
  // half the price of mfence
  asm volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc");
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// Cost: nothing but the order of instructions, usually.
inline void light_fence() {
  if (g_fences_are_asymmetric) [[likely]]
    std::atomic_signal_fence(std::memory_order_seq_cst);
  else
    full_fence();
}

/// Cost: a system call, and an interruption of every other running thread of the process.
void heavy_fence();

/// The fences of structures that take their atomic type as a policy: tests that explore executions have
/// others for theirs.
template <template <class> class Atomic>
struct Fences {
  static void full() { full_fence(); }
  static void light() { light_fence(); }
  static void heavy() { heavy_fence(); }
};

}  // namespace heddle
