// Loops whose bounds lie at the ends of their type's range run each iteration once.
// OpenMP 5.1, 2.11.1 canonical loop nest form.
#include <limits.h>
#include <omp.h>

#include "check.h"

#define COUNT(schedule_pragma, type, from, condition, step)         \
  do {                                                              \
    int count = 0;                                                  \
    int wanted_count = 0;                                           \
    unsigned long long sum = 0;                                     \
    unsigned long long wanted = 0;                                  \
    _Pragma(schedule_pragma) for (type i = from; condition; step) { \
      count++;                                                      \
      sum += (unsigned long long)i;                                 \
    }                                                               \
    for (type i = from; condition; step) {                          \
      wanted_count++;                                               \
      wanted += (unsigned long long)i;                              \
    }                                                               \
    CHECK(count == wanted_count);                                   \
    CHECK(sum == wanted);                                           \
  } while (0)

// GCC 12 itself turns a non-static loop down an unsigned int into one up by 4294967295, which is empty.
#ifdef __clang__
#  define COUNT_UNSIGNED_DOWN(p) COUNT(p, unsigned, 20, i > 0, i--);
#else
#  define COUNT_UNSIGNED_DOWN(p)
#endif

#define ALL(p)                                                                                     \
  COUNT(p, int, INT_MAX - 20, i < INT_MAX, i++);                                                   \
  COUNT(p, int, INT_MAX - 21, i < INT_MAX - 2, i += 3);                                            \
  COUNT(p, int, INT_MIN + 20, i > INT_MIN, i--);                                                   \
  COUNT(p, int, INT_MIN, i <= INT_MIN + 9, i++);                                                   \
  COUNT(p, unsigned, UINT_MAX - 20, i < UINT_MAX, i++);                                            \
  COUNT_UNSIGNED_DOWN(p)                                                                           \
  COUNT(p, unsigned, 0, i < UINT_MAX - 100000000u, i += 100000000u);                               \
  COUNT(p, long long, LLONG_MAX - 20, i < LLONG_MAX, i++);                                         \
  COUNT(p, long long, LLONG_MIN + 20, i > LLONG_MIN, i--);                                         \
  COUNT(p, long long, -(LLONG_MAX / 2), i < LLONG_MAX / 2 - LLONG_MAX / 50, i += LLONG_MAX / 100); \
  COUNT(p, unsigned long long, ULLONG_MAX - 20, i < ULLONG_MAX, i++);                              \
  COUNT(p, unsigned long long, 20, i > 0, i--);                                                    \
  COUNT(p, unsigned long long, 1, i < ULLONG_MAX - ULLONG_MAX / 50, i += ULLONG_MAX / 100);        \
  COUNT(p, unsigned long long, ULLONG_MAX - 5, i > ULLONG_MAX / 50, i -= ULLONG_MAX / 100);        \
  COUNT(p, unsigned long long, 5, i < 5, i++)

int main(void) {
  ALL("omp parallel for reduction(+ : count, sum)");
  ALL("omp parallel for reduction(+ : count, sum) schedule(static, 3)");
  ALL("omp parallel for reduction(+ : count, sum) schedule(dynamic)");
  ALL("omp parallel for reduction(+ : count, sum) schedule(dynamic, 7)");
  ALL("omp parallel for reduction(+ : count, sum) schedule(guided)");
  ALL("omp parallel for reduction(+ : count, sum) schedule(monotonic : dynamic, 1000)");
  omp_set_schedule(omp_sched_guided, 3);
  ALL("omp parallel for reduction(+ : count, sum) schedule(runtime)");
  omp_set_schedule(omp_sched_static, 2);
  ALL("omp parallel for reduction(+ : count, sum) schedule(runtime)");
  return 0;
}
