// A taskloop whose entry point opens the taskgroup, after the pattern of its tasks was made, and whose tasks
// are copied by a function of the program. Clang opens the group itself; the calls of those who do not are
// written out here. OpenMP 5.2, 12.6 taskloop construct.
#include <dlfcn.h>
#include <omp.h>

#include <cstddef>
#include <cstdint>

#include "check.h"

namespace {

struct View {
  void** shareds;
  int (*routine)(int, View*);
  int part;
  void* words[2];
  std::uint64_t lower, upper;
  std::int64_t step;
  int is_last;
};

template <class Function>
Function find(const char* name) {
  void* const found = dlsym(RTLD_DEFAULT, name);
  CHECK(found != nullptr);
  return reinterpret_cast<Function>(found);
}

constexpr int kTied = 1, kByNumber = 2;
constexpr std::uint64_t kTrip = 100, kTasks = 7;

int g_runs[kTrip], g_last = -1;

int run(int, View* view) {
  for (std::uint64_t i = view->lower; i <= view->upper; ++i) {
#pragma omp atomic
    g_runs[i]++;
  }
  if (view->is_last != 0) g_last = static_cast<int>(view->upper);
  return 0;
}

void copy(View* to, View*, int is_last) {
  to->is_last = is_last;
}

}  // namespace

int main() {
  using Duplicate = void (*)(View*, View*, int);
  const auto thread = find<int (*)(void*)>("__kmpc_global_thread_num");
  const auto alloc = find<View* (*)(void*, int, int, std::size_t, std::size_t, int (*)(int, View*))>(
      "__kmpc_omp_task_alloc");
  const auto taskloop = find<void (*)(void*, int, View*, int, std::uint64_t*, std::uint64_t*, std::int64_t,
                                      int, int, std::uint64_t, Duplicate)>("__kmpc_taskloop");
  for (int round = 1; round <= 20; ++round) {
#pragma omp parallel
#pragma omp single
    {
      const int number = thread(nullptr);
      View* const pattern = alloc(nullptr, number, kTied, sizeof(View), 0, run);
      pattern->lower = 0;
      pattern->upper = kTrip - 1;
      pattern->step = 1;
      taskloop(nullptr, number, pattern, 1, &pattern->lower, &pattern->upper, 1, 0, kByNumber, kTasks,
               round % 2 == 0 ? copy : nullptr);
      for (const int runs : g_runs) CHECK(runs == round);
      if (round % 2 == 0) CHECK(g_last == kTrip - 1);
    }
  }
  return 0;
}
