// The floating-point modes of a thread: rounding, flush to zero, which exceptions trap. Not the flags of
// exceptions that have come.
//
// They belong to the processor's state, so each thread, and each context on a stack of its own, has its own.
#pragma once

#include <cstdint>

namespace heddle {

struct FpModes {
  std::uint32_t vector = 0;  // x86: MXCSR less its flags; Arm: FPCR; RISC-V: frm
  std::uint16_t x87 = 0;     // x86: the control word
  bool operator==(const FpModes&) const = default;
};

#if defined(__x86_64__)

constexpr std::uint32_t kVectorFlags = 0x3f;

/// The calling thread's. Cost: two stores of the processor's and two loads.
inline FpModes fp_modes() {
  FpModes modes;
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(modes.vector), "=m"(modes.x87));
  modes.vector &= ~kVectorFlags;
  return modes;
}

/// Gives the calling thread these; its flags stay. Cost: that of fp_modes() where it has them already.
inline void adopt_fp_modes(const FpModes& wanted) {
  if (fp_modes() == wanted) [[likely]]
    return;
  std::uint32_t vector = 0;
  asm volatile("stmxcsr %0" : "=m"(vector));
  vector = (vector & kVectorFlags) | wanted.vector;
  asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(vector), "m"(wanted.x87));
}

#elif defined(__aarch64__) || defined(__riscv)

inline FpModes fp_modes() {
  std::uint64_t control;
#  if defined(__aarch64__)
  asm volatile("mrs %0, fpcr" : "=r"(control));
#  else
  asm volatile("frrm %0" : "=r"(control));
#  endif
  return {static_cast<std::uint32_t>(control), 0};
}

inline void adopt_fp_modes(const FpModes& wanted) {
  if (fp_modes() == wanted) [[likely]]
    return;
#  if defined(__aarch64__)
  asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{wanted.vector}));
#  else
  asm volatile("fsrm %0" : : "r"(std::uint64_t{wanted.vector}));
#  endif
}

#else
#  error "the floating-point modes of this processor are not known here"
#endif

}  // namespace heddle
