// Objects that were copied for firstprivate are destroyed, and once, whether their task is executed or
// discarded. OpenMP 5.2, 11.2 cancel construct.
#include <omp.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "check.h"
#include "rerun.h"

namespace {

std::atomic<int> g_alive{0};

struct Counted {
  Counted() { ++g_alive; }
  Counted(const Counted& other) : value(other.value) { ++g_alive; }
  ~Counted() { --g_alive; }
  Counted& operator=(const Counted&) = delete;
  int value = 7;
};

void cancelled_group(bool is_final) {
  const Counted object;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < 100; ++i) {
#pragma omp task firstprivate(object) final(is_final)
        CHECK(object.value == 7);
        if (i == 50) {
#pragma omp task if (0)
          {
#pragma omp cancel taskgroup
          }
        }
      }
    }
    CHECK(g_alive == 1);
  }
}

void cancelled_region() {
  const Counted object;
#pragma omp parallel
  {
#pragma omp single nowait
    for (int i = 0; i < 100; ++i) {
#pragma omp task firstprivate(object)
      CHECK(object.value == 7);
    }
#pragma omp cancel parallel
  }
  CHECK(g_alive == 1);
}

}  // namespace

int main(int argc, char** argv) {
  static_cast<void>(argv);
  if (argc == 1) {
    const rerun_result* again = rerun("OMP_CANCELLATION=true", "again");
    if (again->status != 0) std::fputs(again->output, stdout);
    CHECK(again->status == 0);
    return 0;
  }
  for (int round = 0; round < 20; ++round) {
    cancelled_group(false);
    cancelled_group(true);
    cancelled_region();
    CHECK(g_alive == 0);
  }
  return 0;
}
