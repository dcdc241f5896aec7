// Kernels that recurse to the end: every call is a task, with no cut-off, so that the runtime's own is what
// counts.
#include "tasks.h"

// What came out, and what must.
static long found, wanted;

static void reset_found(void) {
  found = -1;
}

static bool found_is_wanted(void) {
  return found == wanted;
}

static void finish_nothing(void) {}

static long fib(long n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a) firstprivate(n)
  a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
  b = fib(n - 2);
#pragma omp taskwait
  compute(work.grain);
  return a + b;
}

static void prepare_fib(void) {
  if (work.size > 40) refuse("--size %ld: fib goes to 40", work.size);
  // Tasks of n: both children and theirs. The two rows climb together.
  long tasks = 0, next_tasks = 0, value = 0, next_value = 1;
  for (long n = 0; n < work.size; ++n) {
    const long sum = value + next_value, sum_tasks = tasks + next_tasks + 2;
    value = next_value;
    next_value = sum;
    tasks = next_tasks;
    next_tasks = sum_tasks;
  }
  work.tasks = tasks > 0 ? tasks : 1;
  wanted = value;
}

static void create_fib(void) {
  found = fib(work.size);
}

// Queens in the rows so far, as bits: their columns and the diagonals that they threaten in the next row.
enum { kLargestBoard = 16 };

static long queens(int row, uint32_t columns, uint32_t left, uint32_t right) {
  const int size = (int)work.size;
  if (row == size) return 1;
  long counts[kLargestBoard];
  for (int column = 0; column < size; ++column) {
    const uint32_t bit = 1u << column;
    counts[column] = 0;
    if (((columns | left | right) & bit) != 0) continue;
    long* count = &counts[column];
#pragma omp task firstprivate(row, columns, left, right, bit, count)
    *count = queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
#pragma omp taskwait
  compute(work.grain);
  long sum = 0;
  for (int column = 0; column < size; ++column) sum += counts[column];
  return sum;
}

// The same without tasks: solutions, and how many tasks it takes to find them.
static long queens_in_order(int row, uint32_t columns, uint32_t left, uint32_t right) {
  if (row == (int)work.size) return 1;
  long sum = 0;
  for (int column = 0; column < (int)work.size; ++column) {
    const uint32_t bit = 1u << column;
    if (((columns | left | right) & bit) != 0) continue;
    ++work.tasks;
    sum += queens_in_order(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return sum;
}

static void prepare_queens(void) {
  static const long known[] = {1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596};
  if (work.size >= (long)(sizeof known / sizeof *known)) refuse("--size %ld: nqueens goes to 14", work.size);
  work.tasks = 0;
  queens_in_order(0, 0, 0, 0);
  wanted = known[work.size];
}

static void create_queens(void) {
  found = queens(0, 0, 0, 0);
}

const Kernel kRecursiveKernels[] = {{.name = "fib",
                                     .meaning = "Fibonacci number --size, two tasks a call",
                                     .size = 25,
                                     .prepare = prepare_fib,
                                     .reset = reset_found,
                                     .create = create_fib,
                                     .verify = found_is_wanted,
                                     .finish = finish_nothing,
                                     .is_no_graph = true},
                                    {.name = "nqueens",
                                     .meaning = "queens on a board of --size, a task a queen placed",
                                     .size = 10,
                                     .prepare = prepare_queens,
                                     .reset = reset_found,
                                     .create = create_queens,
                                     .verify = found_is_wanted,
                                     .finish = finish_nothing,
                                     .is_no_graph = true},
                                    {0}};
