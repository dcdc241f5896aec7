// The floating-point modes of the thread that opens a region are those of all its threads, and of its tasks.
#include <fenv.h>
#include <omp.h>

#include "right.h"

#pragma STDC FENV_ACCESS ON

#if defined(__x86_64__)
#  include <xmmintrin.h>
static unsigned vector_modes(void) {
  return _mm_getcsr() & ~0x3fu;  // without the flags
}
static void set_flush_to_zero(int is_on) {
  _MM_SET_FLUSH_ZERO_MODE(is_on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
}
#else
static unsigned vector_modes(void) {
  unsigned long control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return (unsigned)control;
}
static void set_flush_to_zero(int is_on) {
  unsigned long control = vector_modes();
  control = is_on ? control | 1ul << 24 : control & ~(1ul << 24);
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
}
#endif

static int differs(unsigned vector, int rounding) {
  return vector_modes() != vector || fegetround() != rounding;
}

static void compare(const char* when) {
  const unsigned vector = vector_modes();
  const int rounding = fegetround();
  int threads = 0, tasks = 0;
#pragma omp parallel num_threads(4) reduction(+ : threads)
  threads += differs(vector, rounding);
#pragma omp parallel num_threads(4) shared(tasks)
#pragma omp single
  for (int i = 0; i < 200; ++i) {
#pragma omp task shared(tasks)
    {
#pragma omp taskyield
      if (differs(vector, rounding)) {
#pragma omp atomic
        ++tasks;
      }
    }
  }
  RIGHT(threads == 0 && tasks == 0, "%s: %d of 4 threads and %d of 200 tasks have other modes", when, threads,
        tasks);
}

int main(void) {
  compare("at first");
  set_flush_to_zero(1);
  compare("flush to zero");
  fesetround(FE_UPWARD);
  compare("and rounding upwards");
  set_flush_to_zero(0);
  fesetround(FE_TONEAREST);
  compare("as at first");
  return end();
}
