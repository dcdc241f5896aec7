// copyprivate gives every thread of the team the values of the one that executed the single region.
// OpenMP 5.1, 2.21.6.2 copyprivate clause.
#include <omp.h>

#include <string>

#include "check.h"

namespace {

double scratch;
#pragma omp threadprivate(scratch)

}  // namespace

int main() {
#pragma omp parallel
  {
    for (int round = 0; round < 200; round++) {
      int number = -1;
      double values[3] = {0, 0, 0};
      std::string text = "none";
#pragma omp single copyprivate(number, values, text, scratch)
      {
        number = round;
        for (int i = 0; i < 3; i++) values[i] = round + i * 0.5;
        text = "round " + std::to_string(round) + " of a text too long to be stored in place";
        scratch = round * 2.0;
      }
      CHECK(number == round);
      for (int i = 0; i < 3; i++) CHECK(values[i] == round + i * 0.5);
      CHECK(text == "round " + std::to_string(round) + " of a text too long to be stored in place");
      CHECK(scratch == round * 2.0);
    }
  }
  return 0;
}
