// Task reductions of class type: private copies come from the initializer, are combined once and destroyed.
// OpenMP 5.1, 2.21.5.7 declare reduction directive; 2.21.5.5 task_reduction clause.
#include <omp.h>

#include <vector>

#include "check.h"

namespace {

int alive = 0;

struct Bag {
  Bag() { count(1); }
  Bag(const Bag& other) : items(other.items) { count(1); }
  Bag& operator=(const Bag&) = default;
  ~Bag() { count(-1); }
  static void count(int by) {
#pragma omp atomic
    alive += by;
  }
  void take(const Bag& other) { items.insert(items.end(), other.items.begin(), other.items.end()); }
  std::vector<int> items;
};

#pragma omp declare reduction(gather:Bag : omp_out.take(omp_in)) initializer(omp_priv = Bag())

void expect_each_once(const Bag& bag, int n) {
  std::vector<int> runs(static_cast<std::size_t>(n), 0);
  CHECK(bag.items.size() == static_cast<std::size_t>(n));
  for (int item : bag.items) runs[static_cast<std::size_t>(item)]++;
  for (int run : runs) CHECK(run == 1);
}

}  // namespace

int main() {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
    Bag bag;
#pragma omp taskgroup task_reduction(gather : bag)
    {
      for (int i = 0; i < 100; i += 2) {
#pragma omp task in_reduction(gather : bag)
        {
          bag.items.push_back(i);
#pragma omp task in_reduction(gather : bag)
          bag.items.push_back(i + 1);
        }
      }
    }
    expect_each_once(bag, 100);
    Bag loop;
#pragma omp taskloop reduction(gather : loop) grainsize(3)
    for (int i = 0; i < 100; i++) loop.items.push_back(i);
    expect_each_once(loop, 100);
  }
  CHECK(alive == 0);
  return 0;
}
