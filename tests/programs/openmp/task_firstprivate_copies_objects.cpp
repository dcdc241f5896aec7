// A task's firstprivate object is a copy made when the task is generated and destroyed once the task is done:
// as many are destroyed as were constructed, and later changes of the original do not reach the task.
// OpenMP 5.1, 2.12.1 task construct; 2.21.4.4 firstprivate clause.
#include <omp.h>

#include <string>
#include <vector>

#include "check.h"

namespace {

int alive = 0;

struct Tracked {
  explicit Tracked(int value) : value(value), text(std::to_string(value) + " and a text of some length") {
    count(1);
  }
  Tracked(const Tracked& other) : value(other.value), text(other.text) { count(1); }
  Tracked& operator=(const Tracked&) = default;
  ~Tracked() {
    value = -1;
    count(-1);
  }
  static void count(int by) {
#pragma omp atomic
    alive += by;
  }
  int value;
  std::string text;
};

}  // namespace

int main() {
  enum { kTasks = 500 };
  std::vector<int> got(kTasks, -1);
#pragma omp parallel
#pragma omp single
  {
    Tracked object(0);
    std::vector<int> list;
    double row[3] = {0, 0, 0};
    for (int i = 0; i < kTasks; i++) {
      object = Tracked(i);
      list.assign(static_cast<std::size_t>(i % 50), i);
      row[2] = i;
#pragma omp task firstprivate(object, list, row) shared(got) if (i % 7 != 0)
      {
        CHECK(object.value == i && object.text == std::to_string(i) + " and a text of some length");
        CHECK(list.size() == static_cast<std::size_t>(i % 50));
        for (int entry : list) CHECK(entry == i);
        CHECK(row[2] == i);
        got[static_cast<std::size_t>(i)] = object.value;
        object.value = -2;
#pragma omp task firstprivate(object)
        CHECK(object.value == -2);
      }
    }
#pragma omp taskwait
    object.value = -3;
  }
  for (int i = 0; i < kTasks; i++) CHECK(got[static_cast<std::size_t>(i)] == i);
  CHECK(alive == 0);
  return 0;
}
