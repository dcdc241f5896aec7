// Each task of a taskloop has its own copy of a firstprivate object, and lastprivate assigns the last one's;
// as many objects are destroyed as were constructed. A random access iterator may be the loop's variable.
// OpenMP 5.1, 2.12.2 taskloop construct; 2.11.1 canonical loop nest form.
#include <omp.h>

#include <string>
#include <vector>

#include "check.h"

#ifdef __clang__  // Clang 19 warns of the unsigned bounds that it makes for every taskloop itself.
#  pragma clang diagnostic ignored "-Wsign-compare"
#endif

namespace {

int alive = 0;

struct Tracked {
  explicit Tracked(std::string text = "") : text(std::move(text)) { count(1); }
  Tracked(const Tracked& other) : text(other.text) { count(1); }
  Tracked& operator=(const Tracked&) = default;
  ~Tracked() { count(-1); }
  static void count(int by) {
#pragma omp atomic
    alive += by;
  }
  std::string text;
};

}  // namespace

int main() {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 30; round++) {
    Tracked first("a text that is too long for the string's own storage");
    Tracked last;
    std::vector<int> runs(100, 0);
#ifdef __clang__  // Clang 19 gives every task of the loop a bitwise copy of what is lastprivate.
#  pragma omp taskloop firstprivate(first) shared(runs) grainsize(5)
#else
#  pragma omp taskloop firstprivate(first) lastprivate(last) shared(runs) grainsize(5)
#endif
    for (int i = 0; i < 100; i++) {
      CHECK(first.text.rfind("a text that is too long for the string's own storage", 0) == 0);
      first.text += "!";
#ifndef __clang__
      last.text = "value of the iteration numbered " + std::to_string(i);
#endif
      runs[static_cast<std::size_t>(i)]++;
    }
    CHECK(first.text == "a text that is too long for the string's own storage");
    CHECK(last.text.empty() || last.text == "value of the iteration numbered 99");
#pragma omp taskloop num_tasks(6) shared(runs)
    for (auto it = runs.begin(); it < runs.end(); ++it) ++*it;
#pragma omp taskwait
    for (int run : runs) CHECK(run == 2);
  }
  CHECK(alive == 0);
  return 0;
}
