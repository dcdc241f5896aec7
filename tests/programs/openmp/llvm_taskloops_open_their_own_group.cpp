// A taskloop whose entry point opens the taskgroup, after the pattern of its tasks was made, and whose tasks
// are copied by a function of the program. Clang opens the group itself; the calls of those who do not are
// written out here. OpenMP 5.2, 12.6 taskloop construct.
#include <omp.h>

#include <cstddef>
#include <cstdint>

#include "check.h"
#include "llvm_calls.hpp"

namespace {

struct Pattern {
  View view;
  std::uint64_t lower, upper;
  std::int64_t step;
  int is_last;
};

constexpr int kByNumber = 2;
constexpr std::uint64_t kTrip = 100, kTasks = 7;

int g_runs[kTrip], g_last = -1;

int run(int, View* view) {
  const auto& chunk = *reinterpret_cast<const Pattern*>(view);
  for (std::uint64_t i = chunk.lower; i <= chunk.upper; ++i) {
#pragma omp atomic
    g_runs[i]++;
  }
  if (chunk.is_last != 0) g_last = static_cast<int>(chunk.upper);
  return 0;
}

void copy(View* to, View*, int is_last) {
  reinterpret_cast<Pattern*>(to)->is_last = is_last;
}

}  // namespace

int main() {
  using Duplicate = void (*)(View*, View*, int);
  const auto taskloop = find<void (*)(void*, int, View*, int, std::uint64_t*, std::uint64_t*, std::int64_t,
                                      int, int, std::uint64_t, Duplicate)>("__kmpc_taskloop");
  for (int round = 1; round <= 20; ++round) {
#pragma omp parallel
#pragma omp single
    {
      const int thread = number(nullptr);
      View* const view = alloc(nullptr, thread, kTied, sizeof(Pattern), 0, run);
      auto* const pattern = reinterpret_cast<Pattern*>(view);
      pattern->lower = 0;
      pattern->upper = kTrip - 1;
      pattern->step = 1;
      pattern->is_last = 0;  // without a function that copies, nobody else sets it
      taskloop(nullptr, thread, view, 1, &pattern->lower, &pattern->upper, 1, 0, kByNumber, kTasks,
               round % 2 == 0 ? copy : nullptr);
      for (const int runs : g_runs) CHECK(runs == round);
      if (round % 2 == 0) CHECK(g_last == kTrip - 1);
    }
  }
  return 0;
}
