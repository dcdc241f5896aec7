// Regions in C++: what captures objects is created each time, as objects cannot be copied as bytes; what does
// not is recorded.
#include <omp.h>

#include <string>

#include "check.h"
#include "heddle.h"

namespace {

constexpr int kRounds = 4;

void objects_are_copied_by_their_constructors() {
  std::string seen;
  int bodies = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    const std::string name = "a name too long to stand within the object: " + std::to_string(round);
    HEDDLE_TASKGRAPH() {
      bodies++;
#pragma omp task firstprivate(name) shared(seen)
      seen = name;
    }
    CHECK(seen == name);
  }
  CHECK(bodies == kRounds);
}

template <class Number>
Number sum_of(const Number* values, int count, int* bodies) {
  Number sum = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH(.graph_id = 3) {
      ++*bodies;
      for (int i = 0; i < count; i++) {
#pragma omp task depend(inout : sum) shared(sum) firstprivate(i, values)
        sum += values[i];
      }
    }
  }
  return sum;
}

void templates_have_records_of_their_own() {
  const int whole[] = {1, 2, 3, 4};
  const double broken[] = {0.5, 0.25};
  int bodies = 0;
  CHECK(sum_of(whole, 4, &bodies) == 10 * kRounds && bodies == 1);
  CHECK(sum_of(broken, 2, &bodies) == 0.75 * kRounds && bodies == 2);
}

}  // namespace

int main() {
  objects_are_copied_by_their_constructors();
  templates_have_records_of_their_own();
  return 0;
}
